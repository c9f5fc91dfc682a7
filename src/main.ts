// The platform's process: starts, drains on SIGTERM and SIGINT, and stops. Only here are process.on and process.exit used.
import './base/process/module-resolution.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { containFaults } from './base/errors/error-containment.ts'
import { createLog } from './base/process/log.ts'
import { NICENESS, setThreadNiceness } from './base/process/thread-priority.ts'
import { ConfigError } from './config/env-reader.ts'
import { environment, readConfig, startEnvironment } from './config/load.ts'
import { rejectPageSettings } from './config/page-settings.ts'

const GRACE_MS = 10_000 // for requests in progress
const SHUTDOWN_MS = 15_000
/** Behind a reverse proxy: time for its health checks to see at /readyz that this node accepts no more. */
const UNREADY_MS = 5000
const FLUSH_MS = 1000

/** Replaces this process by a new one with the same id, as `npm start`, systemd and containers expect. */
function startAgain(): never {
  process.execve?.(process.execPath, [process.execPath, ...process.execArgv, ...process.argv.slice(1)], {
    ...startEnvironment,
  })
  process.exit(1)
}

function fail(message: string): never {
  process.stderr.write(`ramal: ${message}\n`)
  process.removeAllListeners('exit')
  process.exit(1)
}

/** An address set on the page that this machine no longer has must not keep the platform down. */
async function startFailed(error: Error): Promise<never> {
  if (!(await rejectPageSettings(config))) fail(error.message)
  process.stderr.write(`ramal: ${error.message}; starting again without the addresses set on the page\n`)
  return startAgain()
}

let config: ReturnType<typeof readConfig>
try {
  config = readConfig(environment())
} catch (error) {
  fail(error instanceof ConfigError ? error.message : String(error))
}

const log = createLog(config.logLevel)
const { buildApp } = await import('./app.ts') // here, after module-resolution.ts has run: it makes these imports faster
const app = await buildApp(config, log).catch(startFailed)

/** If nobody reads the log, it is never flushed: neither its callback nor its exit handler may block the exit. */
function end(code: number | 'restart'): void {
  const exit = () => {
    process.removeAllListeners('exit')
    if (code === 'restart') startAgain()
    process.exit(code)
  }
  setTimeout(exit, FLUSH_MS)
  log.flush(exit)
}

// Installed before the process reports that it listens: a supervisor may send a signal right then.
let isStopping = false
async function stop(signal: NodeJS.Signals | 'restart'): Promise<void> {
  if (isStopping) return end(1)
  const isRestart = signal === 'restart'
  isStopping = true
  log.info({ signal }, 'stopping: draining calls and requests')
  app.drain()
  const { drainMs } = config.phone
  const unready = config.http.trustProxy === false ? undefined : sleep(Math.min(UNREADY_MS, drainMs))
  await app.callsOver(drainMs)
  await unready
  setTimeout(() => (isRestart ? startAgain() : fail('shutdown timed out')), SHUTDOWN_MS).unref()
  // Keep-alive connections, and requests that never finish, would block the shutdown.
  setInterval(() => app.http.server.closeIdleConnections(), 100).unref()
  setTimeout(() => app.http.server.closeAllConnections(), GRACE_MS).unref()
  await app.close()
  end(isRestart ? 'restart' : 0)
}
// The reader of the output may go away, which must not end the process.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
process.on('SIGTERM', stop)
process.on('SIGINT', stop)
void app.restartRequested.then(() => stop('restart'))
containFaults((error) => {
  log.fatal({ err: error }, 'uncaught exception')
  end(1)
})

if (app.firstKey) {
  process.stdout.write(
    `\nYour API key (full access), shown only once and saved in ${config.dataDir}/first-api-key:\n\n  ${app.firstKey}\n\n`,
  )
}

const address = await app.listen().catch(async (error: Error) => {
  await app.close()
  return startFailed(error)
})
// Only now: the thread pool (passwords, files) exists and keeps its normal priority.
setThreadNiceness(NICENESS.conversation)
log.info({ address, database: config.database.kind }, 'ramal is listening')
process.stdout.write(`Ramal listens on ${address} (reference: ${address}/docs)\n`)
if (config.http.web && app.setupCode)
  process.stdout.write(
    `Open ${address} to set up your sign-in; from another machine it asks for this code: ${app.setupCode}\n`,
  )
