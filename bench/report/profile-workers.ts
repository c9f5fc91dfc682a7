// Loaded with --import alongside --cpu-prof: also profiles workers that start without the process's flags.
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
