import assert from 'node:assert/strict'
import { test } from 'node:test'
import { problemsOfKey, problemsOfSetup, problemsOfSignIn } from './auth-validation.ts'

test('sign-in needs an email address and a password', () => {
  assert.deepEqual(problemsOfSignIn({ email: '', password: '' }), { email: 'missing', password: 'missing' })
  assert.deepEqual(problemsOfSignIn({ email: 'ana', password: 'x' }), { email: 'notAnEmail' })
  assert.deepEqual(problemsOfSignIn({ email: ' ana@localhost ', password: ' ' }), {})
  assert.deepEqual(problemsOfKey(' '), { apiKey: 'missing' })
})

test('setup checks the length and the repetition of the password, and the code where one is needed', () => {
  const good = { email: 'ana@example.com', password: 'long enough!', repeat: 'long enough!', setupCode: '' }
  assert.deepEqual(problemsOfSetup(good, false), {})
  assert.deepEqual(problemsOfSetup(good, true), { setupCode: 'missing' })
  assert.deepEqual(problemsOfSetup({ ...good, password: 'short', repeat: 'other' }, false), {
    password: 'tooShort',
    repeat: 'differ',
  })
})
