// The command line: finds the command and opens the database for it. It uses the platform's settings.
import { parseArgs } from 'node:util'
import { masterKeys } from '../base/crypto/master-key.ts'
import { keyRing } from '../base/crypto/secrets.ts'
import { environment, readConfig } from '../config/load.ts'
import { openDatabase } from '../db/database.ts'
import { type ApiCommand, type Options, options, UsageError } from './command.ts'
import { asksForHelp, findCommand, helpFor, usageAfterError } from './help.ts'
import { platformApi, printable } from './platform-api.ts'
import { talk } from './talk.ts'

const print = (line: string) => void process.stdout.write(`${line}\n`)

async function run(words: string[], values: Options): Promise<unknown> {
  const [first = 'help', second] = words
  if (first === 'help') return print(helpFor(words.slice(1)))
  if (values.help || asksForHelp(words)) return print(helpFor(words))
  if (first === 'talk') return runTalk(second, values)
  const found = findCommand(words)
  const rest = words.slice(found?.length)
  if (found?.command.runRemote) return runRemote(found.command.runRemote, rest, values)
  if (!found?.command.run) throw new UsageError(`unknown command: ${words.join(' ')}`)
  const config = readConfig(environment())
  const database = await openDatabase(config.database, () => {})
  const keys = () => masterKeys(config.masterKeys, config.dataDir)
  try {
    return await found.command.run({
      config,
      database,
      options: values,
      subject: rest[0],
      value: rest[1],
      secrets: () => keyRing(keys()),
      masterKeys: keys,
      print,
    })
  } finally {
    await database.close()
  }
}

async function runTalk(agent: string | undefined, { say, url }: Options): Promise<boolean> {
  const env = environment()
  const leave = new AbortController()
  process.once('SIGINT', () => leave.abort())
  const parts = { config: readConfig(env), input: process.stdin, output: process.stdout, leave }
  return talk(parts, { agent, say, url, apiKey: env.RAMAL_API_KEY })
}

async function runRemote(run: ApiCommand['runRemote'], words: readonly string[], values: Options): Promise<unknown> {
  const env = environment()
  const api = await platformApi(readConfig(env), { url: values.url, apiKey: env.RAMAL_API_KEY })
  const note = (line: string) => void process.stderr.write(`${printable(line)}\n`)
  return run({ api, options: values, words, print: (line) => print(printable(line)), note })
}

// A reader such as `head` may close the pipe early, which is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

try {
  const { values, positionals } = parseArgs({ options, allowPositionals: true })
  const result = await run(positionals, values)
  if (result === false) process.exitCode = 1
  if (typeof result === 'number') process.exitCode = result
} catch (error) {
  const { message, code } = error as Error & { code?: string }
  const isUsage = error instanceof UsageError || code?.startsWith('ERR_PARSE_ARGS')
  if (code !== 'EPIPE') {
    process.stderr.write(`ramal: ${message}\n`)
    if (isUsage) process.stderr.write(usageAfterError(process.argv.slice(2).filter((word) => !word.startsWith('-'))))
    process.exitCode = 1
  }
}
