// Starts, hears signals, drains, stops: the only process.on and process.exit.
import { buildApp } from './app.ts'
import { reportToOwner } from './base/error-containment.ts'
import { createLog } from './base/log.ts'
import { ConfigError } from './config/env-reader.ts'
import { environment, readConfig } from './config/load.ts'

const GRACE_MS = 10_000 // for answers that are under way
const SHUTDOWN_MS = 15_000

function giveUp(message: string): never {
  process.stderr.write(`ramal: ${message}\n`)
  process.exit(1)
}

let config: ReturnType<typeof readConfig>
try {
  config = readConfig(environment())
} catch (error) {
  giveUp(error instanceof ConfigError ? error.message : String(error))
}

const log = createLog(config.logLevel)
const app = await buildApp(config, log).catch((error: Error) => giveUp(error.message))

// Before anyone is told that it listens: whoever hears that may ask it to stop.
let isStopping = false
async function stop(signal: string): Promise<void> {
  if (isStopping) process.exit(1) // asked twice
  isStopping = true
  log.info({ signal }, 'stopping: finishing what has begun')
  app.drain()
  await app.callsOver(config.phone.drainMs)
  setTimeout(() => giveUp('not everything could be finished in time'), SHUTDOWN_MS).unref()
  // A client keeps its connection after its answer; and one that never finishes its request would hold us for ever.
  setInterval(() => app.http.server.closeIdleConnections(), 100).unref()
  setTimeout(() => app.http.server.closeAllConnections(), GRACE_MS).unref()
  await app.close()
  log.flush(() => process.exit(0))
}
process.on('SIGTERM', stop)
process.on('SIGINT', stop)
process.on('uncaughtException', (error) => {
  if (reportToOwner(error)) return
  log.fatal({ err: error }, 'uncaught error')
  log.flush(() => process.exit(1))
})

if (app.firstKey) {
  process.stdout.write(
    `\nYour API key (full access), shown this once and kept in ${config.dataDir}/first-api-key:\n\n  ${app.firstKey}\n\n`,
  )
}

const address = await app.listen().catch((error: Error) => giveUp(error.message))
log.info({ address, database: config.database.kind }, 'ramal is listening')
process.stdout.write(`Ramal listens on ${address} (reference: ${address}/docs)\n`)
if (config.http.web && app.setupCode)
  process.stdout.write(
    `Open ${address} to set up your sign-in; from another machine it asks for this code: ${app.setupCode}\n`,
  )
