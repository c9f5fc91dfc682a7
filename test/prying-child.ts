// A compromised sandboxed process: it attempts forbidden actions, and reports the results.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'

const tried = (act: () => unknown): string => {
  try {
    act()
    return 'done'
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'failed'
  }
}

process.once('message', ({ folder, ours }: { folder: string; ours: string }) => {
  const value = {
    readKey: tried(() => readFileSync(`${folder}/master.key`)),
    listFolder: tried(() => readdirSync(folder)),
    write: tried(() => writeFileSync(`${folder}/new`, 'x')),
    spawn: tried(() => spawnSync('true').error && spawnSync('true')),
    thread: tried(() => new Worker('', { eval: true })),
    readOwnCode: tried(() => readFileSync(ours)),
    environment: Object.keys(process.env).length,
  }
  process.send?.({ ok: true, value }, () => process.exit(0))
})
