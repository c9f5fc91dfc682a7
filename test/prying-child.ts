// A compromised sandboxed process: attempts forbidden actions and reports the results.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { Worker } from 'node:worker_threads'

const tried = (act: () => unknown): string => {
  try {
    act()
    return 'done'
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'failed'
  }
}

const connected = (port: number): Promise<string> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' })
    socket.once('connect', () => resolve('done'))
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'failed'))
  })

process.once('message', async ({ folder, ours, port }: { folder: string; ours: string; port: number }) => {
  const value = {
    readKey: tried(() => readFileSync(`${folder}/master.key`)),
    listFolder: tried(() => readdirSync(folder)),
    write: tried(() => writeFileSync(`${folder}/new`, 'x')),
    spawn: tried(() => spawnSync('true').error && spawnSync('true')),
    thread: tried(() => new Worker('', { eval: true })),
    readOwnCode: tried(() => readFileSync(ours)),
    connect: port === 0 ? '' : await connected(port),
    environment: Object.keys(process.env).length,
  }
  process.send?.({ ok: true, value }, () => process.exit(0))
})
