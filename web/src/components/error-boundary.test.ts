// The error boundary's states; React calls these methods when a child throws.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Caught, ErrorBoundary } from './error-boundary.ts'

function boundary(resetKey: string) {
  const one = new ErrorBoundary({
    resetKey,
    children: 'the page',
    fallback: ({ error }: Caught) => `failed: ${(error as Error).message}`,
  })
  return { one, take: (part: object | null) => void Object.assign(one.state, part) }
}

test('a page that throws is replaced, until the address changes', () => {
  const { one, take } = boundary('/calls')
  assert.equal(one.render(), 'the page')
  take(ErrorBoundary.getDerivedStateFromError(new Error('no')))
  assert.equal(one.render(), 'failed: no')
  take(ErrorBoundary.getDerivedStateFromProps(one.props, one.state))
  assert.equal(one.render(), 'failed: no', 'drawing the same page again does not repeat the error')
  take(ErrorBoundary.getDerivedStateFromProps({ ...one.props, resetKey: '/agents' }, one.state))
  assert.equal(one.render(), 'the page')
})

test('whatever is thrown is caught, also nothing', () => {
  const { one, take } = boundary('/calls')
  take(ErrorBoundary.getDerivedStateFromError(undefined))
  assert.notEqual(one.state.caught, null)
})
