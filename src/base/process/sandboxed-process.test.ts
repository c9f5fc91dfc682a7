import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { canIsolate } from '../network/network-isolation.ts'
import { sandboxedProcess } from './sandboxed-process.ts'

test('sandboxed code can read its own source, but no key; it writes no file and starts no process', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'ramal-test-'))
  t.after(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'master.key'), 'the master key')
  const run = sandboxedProcess(new URL('../../../test/prying-child.ts', import.meta.url), 'document')
  const ours = fileURLToPath(new URL('./sandboxed-process.ts', import.meta.url))
  const came = await run<Record<string, unknown>>('usr_1', () => ({ folder, ours, port: 0 }))
  const { readOwnCode, environment, connect: _, ...forbidden } = came
  for (const [act, result] of Object.entries(forbidden)) assert.equal(result, 'ERR_ACCESS_DENIED', act)
  assert.equal(readOwnCode, 'done')
  assert.equal(existsSync(join(folder, 'new')), false)
  assert.ok(Number(environment) < 5, 'no settings of ours')
})

test('sandboxed code reaches no server of this machine, where the system permits that', async (t) => {
  if (!(await canIsolate())) return t.skip('this system permits no network namespaces')
  let connections = 0
  const server = createServer((socket) => {
    connections++
    socket.destroy()
  })
  t.after(() => server.close())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const run = sandboxedProcess(new URL('../../../test/prying-child.ts', import.meta.url), 'document')
  const ours = fileURLToPath(new URL('./sandboxed-process.ts', import.meta.url))
  const { connect, readOwnCode } = await run<Record<string, unknown>>('usr_1', () => ({ folder: tmpdir(), ours, port }))
  assert.deepEqual([readOwnCode, connections], ['done', 0])
  assert.match(String(connect), /^E(NETUNREACH|CONNREFUSED|ADDRNOTAVAIL|HOSTUNREACH)$/)
})
