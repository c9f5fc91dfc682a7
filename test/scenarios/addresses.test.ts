// Addresses set on the page: validated, stored next to the database, in use after a restart of the process.
// @run sqlite: with PostgreSQL the addresses of each node come from its environment
import assert from 'node:assert/strict'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ask, newDataDir, type Service, startService } from '../service.ts'
import { until } from '../until.ts'

const key = 'a-key-of-this-test-with-32-characters'
const addressesOf = async (url: string) =>
  JSON.parse((await ask(`${url}/api/settings/addresses`, key, 'GET')).text) as {
    host: { value: string | null; isFixed: boolean }
    publicUrl: { value: string | null; isFixed: boolean }
    startedAt: string
  }
const change = (url: string, patch: object) => ask(`${url}/api/settings/addresses`, key, 'PATCH', patch)
const urlsOf = (service: Service) => [...service.output().matchAll(/^Ramal listens on (\S+)/gm)].map(([, url]) => url)

async function restarted(service: Service): Promise<string> {
  await until('the process listens again', () => urlsOf(service).length > 1)
  return urlsOf(service)[1] as string
}

test('an address set on the page is in use after a restart of the same process, and stays', async () => {
  const dataDir = newDataDir()
  const first = await startService(dataDir, { BOOTSTRAP_API_KEY: key })
  const before = await addressesOf(first.url)
  assert.deepEqual(before.host, { value: null, isFixed: false })
  const set = { host: '127.0.0.2', publicUrl: 'https://voz.example.com.br' }
  assert.equal((await change(first.url, set)).status, 200)
  const url = await restarted(first)
  assert.equal(new URL(url).hostname, '127.0.0.2')
  const after = await addressesOf(url)
  assert.deepEqual([after.host.value, after.publicUrl.value], [set.host, set.publicUrl])
  assert.ok(after.startedAt > before.startedAt)
  assert.equal(first.process.exitCode, null, 'it is the same process')
  await first.kill('SIGTERM')
  const again = await startService(dataDir, { BOOTSTRAP_API_KEY: key, PUBLIC_URL: 'https://set.example.com' })
  assert.equal(new URL(again.url).hostname, '127.0.0.2')
  const fixed = await change(again.url, { publicUrl: 'https://other.example.com' })
  assert.deepEqual([fixed.status, fixed.headers.get('x-error-code')?.split(';')[0]], [409, 'address_set_outside'])
  assert.deepEqual((await addressesOf(again.url)).publicUrl, { value: 'https://set.example.com', isFixed: true })
  await again.kill('SIGTERM')
})

test('an address that this machine does not have is refused, and changes nothing', async () => {
  const service = await startService(newDataDir(), { BOOTSTRAP_API_KEY: key })
  for (const [patch, status] of [
    [{ host: '192.0.2.1' }, 400],
    [{ sipHost: '192.0.2.1' }, 400],
    [{ host: 'nowhere.invalid' }, 400],
    [{ publicUrl: 'ftp://voice.example.com' }, 400],
    [{ publicUrl: 'https://name:secret@voice.example.com' }, 400],
    [{ publicAddress: 'a b' }, 400],
    [{ publicUrl: 'https://voice.example.com\nMASTER_KEY=x' }, 400],
    [{ port: 80 }, 400],
  ] as const)
    assert.equal((await change(service.url, patch)).status, status, JSON.stringify(patch))
  assert.equal((await addressesOf(service.url)).host.value, null)
  await service.kill('SIGTERM')
})

test('a start that fails with an address set on the page goes on without it', async () => {
  const dataDir = newDataDir()
  writeFileSync(join(dataDir, 'addresses.env'), 'HOST=192.0.2.1\n')
  const service = await startService(dataDir, { BOOTSTRAP_API_KEY: key })
  assert.equal(new URL(service.url).hostname, '127.0.0.1')
  assert.match(service.output(), /starting again without the addresses set on the page/)
  assert.ok(existsSync(join(dataDir, 'addresses.env.rejected')))
  await service.kill('SIGTERM')
})
