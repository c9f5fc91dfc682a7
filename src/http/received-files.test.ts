// Files are received on disk: what a platform keeps of them in memory and in its data directory, during and after the
// upload.
// @run own-process, sqlite: it measures memory.
import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { anAgent } from '../../test/app.ts'
import { ask, newDataDir, startService } from '../../test/service.ts'
import { until } from '../../test/until.ts'

const MB = 1_048_576
const FILE = 48 * MB
const key = 'received-files-key-of-32-characters-and-more'

async function aPlatform() {
  const dataDir = newDataDir()
  const folder = join(dataDir, 'uploads')
  mkdirSync(folder)
  writeFileSync(join(folder, 'up_of_a_process_that_died'), 'nome')
  const { url, process } = await startService(dataDir, { BOOTSTRAP_API_KEY: key })
  const pid = process.pid ?? 0
  const post = async (path: string, body: object) => JSON.parse((await ask(`${url}${path}`, key, 'POST', body)).text)
  return {
    url,
    post,
    residentMb: () =>
      (Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024) / MB,
    named: () => readdirSync(folder),
    /** Files that are open and already unlinked. */
    open: () =>
      readdirSync(`/proc/${pid}/fd`).filter((fd) => {
        try {
          return readlinkSync(`/proc/${pid}/fd/${fd}`).startsWith(folder)
        } catch {
          return false // closed meanwhile
        }
      }).length,
    /** A request whose body is written by the test. */
    upload(method: string, path: string, type: string, length: string) {
      const socket = connect(Number(new URL(url).port), '127.0.0.1')
      let answer = ''
      socket.on('error', () => {})
      socket.on('data', (piece) => (answer += piece))
      const head = [`${method} ${path} HTTP/1.1`, 'host: a', `x-api-key: ${key}`, `content-type: ${type}`, length]
      socket.write(`${head.join('\r\n')}\r\n\r\n`)
      return { socket, status: () => Number(answer.slice(9, 12)), answer: () => answer }
    },
  }
}

test('two files of 48 MB that stop before their last byte take no memory, and nothing is left of them', async () => {
  const { post, upload, residentMb, named, open } = await aPlatform()
  assert.deepEqual(named(), [], 'swept at the start')
  const { id: agentId } = await post('/api/agents', anAgent)
  const { id } = await post('/api/campaigns', { name: 'Consultas', agentId })
  const contacts = (bytes: number) =>
    upload('POST', `/api/campaigns/${id}/contacts`, 'text/csv', `content-length: ${bytes}`)
  const list = 'telefone\n11987654321\n'
  const small = contacts(list.length) // what is loaded for the first upload stays loaded
  small.socket.write(list)
  await until('a small list', () => small.status() === 202)

  const before = residentMb()
  const file = Buffer.alloc(FILE - 1, ' ')
  file.write('telefone\n11987654322')
  const both = [contacts(FILE), contacts(FILE)]
  for (const { socket } of both) socket.write(file)
  await until('they were sent', () => both.every(({ socket }) => socket.writableLength === 0))
  const grownMb = residentMb() - before
  assert.ok(grownMb < 50, `grown by ${grownMb} MB`)
  assert.deepEqual([open(), named()], [2, []])

  const [first, second] = both as [ReturnType<typeof contacts>, ReturnType<typeof contacts>]
  first.socket.write('\n')
  await until('the whole file was read', () => first.status() === 202)
  second.socket.destroy()
  await until('they are closed', () => open() === 0)
})

test('a file that is longer than it may be is refused while it arrives, and the client reads the answer', async () => {
  const { post, upload, open } = await aPlatform()
  const { id } = await post('/api/spreadsheets', { name: 'Lista', columns: ['a'] })
  const refused = upload('PUT', `/api/spreadsheets/${id}/content`, 'text/csv', 'transfer-encoding: chunked')
  const piece = Buffer.concat([Buffer.from('100000\r\n'), Buffer.alloc(MB, 'x'), Buffer.from('\r\n')])
  for (let i = 0; i < 12; i++) refused.socket.write(piece)
  refused.socket.write('0\r\n\r\n')
  await until('the answer', () => refused.answer().endsWith('}'))
  assert.match(refused.answer(), /^HTTP\/1\.1 413 .*larger than 10485760 bytes/s)
  assert.equal(open(), 0)
})
