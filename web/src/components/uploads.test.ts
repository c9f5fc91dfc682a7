import assert from 'node:assert/strict'
import { test } from 'node:test'
import { uploadStore } from './uploads.ts'

const list = { owner: 'usr_1', target: 'sul_1', name: 'Procon', file: 'list.csv' }

function started() {
  let held = 0
  const store = uploadStore<number>(() => {
    held++
    return () => void held--
  })
  return { store, held: () => held, states: () => store.all().map(({ target, state }) => `${target} ${state}`) }
}

test('an upload holds the tab until it has ended, and stays listed until it is dismissed', async () => {
  const { store, held, states } = started()
  const answer = Promise.withResolvers<number>()
  const sent = store.send(list, () => answer.promise)
  assert.deepEqual([held(), states()], [1, ['sul_1 sending']])
  answer.resolve(72)
  assert.equal(await sent, 72)
  assert.deepEqual([held(), states()], [0, ['sul_1 done']])
  store.dismiss(store.all()[0]?.id ?? 0)
  assert.deepEqual(states(), [])
})

test('a cut upload is kept with its file, and can be sent again', async () => {
  const { store, held, states } = started()
  const answers = [Promise.reject(new TypeError('cut')), Promise.resolve(3)]
  const sent = await store.send(list, () => answers.shift() ?? Promise.reject(new Error('asked too often')))
  assert.equal(sent, null)
  assert.deepEqual([held(), states()], [0, ['sul_1 failed']])
  await store.retry(store.all()[0]?.id ?? 0)
  assert.deepEqual([held(), states()], [0, ['sul_1 done']])
  await store.retry(store.all()[0]?.id ?? 0)
  assert.deepEqual(states(), ['sul_1 done'], 'what has arrived is not sent again')
})

test('a new file for a record replaces the result of the earlier one, not what is on its way', async () => {
  const { store, states } = started()
  await store.send(list, () => Promise.resolve(1))
  await store.send({ ...list, target: 'sul_2' }, () => Promise.resolve(1))
  const never = new Promise<number>(() => {})
  void store.send(list, () => never)
  void store.send(list, () => never)
  assert.deepEqual(states(), ['sul_1 sending', 'sul_1 sending', 'sul_2 done'])
})
