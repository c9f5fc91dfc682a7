// The process under test: the whole platform with its HTTP API and database, plus the calls of the voice benchmark.
import { buildApp } from '../../src/app.ts'
import { createLog } from '../../src/base/process/log.ts'
import { environment, readConfig } from '../../src/config/load.ts'
import '../voice/platform.ts'

export type Listening = { url: string }

// The parent closed the calls and this channel: there is nothing left to do.
process.once('disconnect', () => process.exit(0))
const config = readConfig(environment())
const app = await buildApp(config, createLog(config.logLevel))
process.send?.({ url: await app.listen() } satisfies Listening)
