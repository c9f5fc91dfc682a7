import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildIdIn } from './build-id.ts'
import { failedUrl, LoadError, loadWithRetries, type RetryParts, UpdatedError } from './load-retry.ts'

const failure = () => new TypeError('Failed to fetch dynamically imported module: http://h/assets/live-B1.js')

function parts(over: Partial<RetryParts> = {}): RetryParts & { waits: number[]; again: string[] } {
  const waits: number[] = []
  const again: string[] = []
  return {
    waits,
    again,
    isOtherBuildServed: async () => false,
    wait: async (ms) => waits.push(ms),
    fetchAgain: async (url, attempt) => {
      again.push(`${url} ${attempt}`)
      throw new Error('still away')
    },
    ...over,
  }
}

test('a part is loaded again until its file comes, with growing delays', async () => {
  const given = parts()
  let tries = 0
  const load = async () => {
    if (++tries < 3) throw failure()
    return { Live: 1 }
  }
  assert.deepEqual(await loadWithRetries(load, given), { Live: 1 })
  assert.deepEqual(given.waits, [300, 1000])
  assert.deepEqual(given.again, ['http://h/assets/live-B1.js 1', 'http://h/assets/live-B1.js 2'])
})

test('a file that comes under a new URL is taken', async () => {
  const given = parts({ fetchAgain: async () => ({ Live: 2 }) })
  assert.deepEqual(await loadWithRetries(() => Promise.reject(failure()), given), { Live: 2 })
})

test('it gives up after three retries', async () => {
  const given = parts()
  await assert.rejects(
    loadWithRetries(() => Promise.reject(failure()), given),
    LoadError,
  )
  assert.deepEqual(given.waits, [300, 1000, 2500])
})

test('when the server has another build, nothing is retried', async () => {
  const given = parts({ isOtherBuildServed: async () => true })
  await assert.rejects(
    loadWithRetries(() => Promise.reject(failure()), given),
    UpdatedError,
  )
  assert.deepEqual(given.waits, [])
})

test('an error in the file itself is not retried', async () => {
  const given = parts()
  await assert.rejects(
    loadWithRetries(() => Promise.reject(new ReferenceError('x is not defined')), given),
    ReferenceError,
  )
  assert.deepEqual(given.waits, [])
})

test('the URL in the messages of the browsers and of Vite', () => {
  const url = 'http://h/assets/a-1.js'
  assert.equal(failedUrl(new TypeError(`Failed to fetch dynamically imported module: ${url}`)), url)
  assert.equal(failedUrl(new TypeError(`error loading dynamically imported module: ${url}`)), url)
  assert.equal(failedUrl(new Error('Unable to preload CSS for /assets/a-1.css')), '/assets/a-1.css')
  assert.equal(failedUrl(new TypeError('Importing a module script failed.')), undefined)
})

test('the build id is the entry script of the page', () => {
  assert.equal(
    buildIdIn('<script type="module" crossorigin src="/assets/page-1.js" nonce="x"></script>'),
    '/assets/page-1.js',
  )
  assert.equal(buildIdIn('<script src="/assets/page-2.js" type="module"></script>'), '/assets/page-2.js')
  assert.equal(buildIdIn('<h1>The dashboard is not built yet</h1>'), undefined)
})
