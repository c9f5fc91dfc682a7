// Loaded with --import beside --cpu-prof: profiles workers too that are started without the flags of the process.
import { createRequire, syncBuiltinESMExports } from 'node:module'
import type { Worker as NodeWorker, WorkerOptions } from 'node:worker_threads'

const threads = createRequire(import.meta.url)('node:worker_threads') as { Worker: typeof NodeWorker }
const flags = process.execArgv.filter((arg) => arg.startsWith('--cpu-prof'))

threads.Worker = class extends threads.Worker {
  constructor(file: string | URL, options: WorkerOptions = {}) {
    super(file, options.execArgv ? { ...options, execArgv: [...options.execArgv, ...flags] } : options)
  }
}
syncBuiltinESMExports()
