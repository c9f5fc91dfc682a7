// The command line: finds the command, opens the database for it, and prints the help. It uses the platform's settings.
import { parseArgs } from 'node:util'
import { masterKeys } from '../base/master-key.ts'
import { keyRing } from '../base/secrets.ts'
import { environment, readConfig } from '../config/load.ts'
import { openDatabase } from '../db/database.ts'
import { backupCommands } from './backup.ts'
import { campaignCommands } from './campaigns.ts'
import { type ApiCommand, type Command, type Options, options, UsageError } from './command.ts'
import { deviceLink } from './device-link.ts'
import { forget } from './forget.ts'
import { keyCommands } from './keys.ts'
import { apiClient, ownUrl, printable, readKey } from './platform-api.ts'
import { providerCommands } from './providers.ts'
import { recordingCommands } from './recordings.ts'
import { rehearse } from './rehearse.ts'
import { addressesRelease, numbersRelease } from './releases.ts'
import { suppressionCommands } from './suppressions.ts'
import { talk, talkHelp } from './talk.ts'
import { trunkDoctor } from './trunk-doctor.ts'
import { userCommands } from './users.ts'

const groups: Record<string, Record<string, Pick<Command, 'usage' | 'summary'> & Partial<Command & ApiCommand>>> = {
  'Users and keys': { ...userCommands, ...keyCommands },
  Providers: providerCommands,
  'Agents and calls': { talk: talkHelp, rehearse, forget },
  'Campaigns, over the API (key in RAMAL_API_KEY; --url URL for another machine; --json for programs)': {
    ...campaignCommands,
    ...suppressionCommands,
  },
  'Trunks, devices and numbers': {
    'trunk doctor': trunkDoctor,
    'device link': deviceLink,
    'numbers release': numbersRelease,
    'addresses release': addressesRelease,
  },
  Maintenance: { ...backupCommands, ...recordingCommands },
}

const help = `Usage: ramal COMMAND [arguments] [options]

Manages this server's platform. It reads the same settings as the platform: the environment and .env.
${Object.entries(groups)
  .map(
    ([title, commands]) =>
      `\n${title}:\n${Object.values(commands)
        .map(({ usage, summary }) => `  ramal ${usage}\n      ${summary}.\n`)
        .join('')}`,
  )
  .join('')}
USER is an id, or a name or e-mail address that only one user has.
`

const print = (line: string) => void process.stdout.write(`${line}\n`)

async function run(words: string[], values: Options): Promise<unknown> {
  const [first = 'help', second = '', third, fourth] = words
  if (values.help || first === 'help') return print(help)
  if (first === 'talk') return runTalk(second || undefined, values)
  const commands: Record<string, Partial<Command & ApiCommand>> = Object.assign({}, ...Object.values(groups))
  const isPair = `${first} ${second}` in commands
  const command = commands[isPair ? `${first} ${second}` : first]
  if (command?.runRemote) return runRemote(command.runRemote, words.slice(isPair ? 2 : 1), values)
  if (!command?.run) throw new UsageError(`unknown command: ${words.join(' ')}`)
  const config = readConfig(environment())
  const database = await openDatabase(config.database, () => {})
  const keys = () => masterKeys(config.masterKeys, config.dataDir)
  try {
    return await command.run({
      config,
      database,
      options: values,
      subject: isPair ? third : second || undefined,
      value: isPair ? fourth : third,
      secrets: () => keyRing(keys()),
      masterKeys: keys,
      print,
    })
  } finally {
    await database.close()
  }
}

/** Over the API, like any client: it needs no database, and the platform may run elsewhere. */
async function runTalk(agent: string | undefined, { say, url }: Options): Promise<boolean> {
  const env = environment()
  const leave = new AbortController()
  process.once('SIGINT', () => leave.abort())
  const parts = { config: readConfig(env), input: process.stdin, output: process.stdout, leave }
  return talk(parts, { agent, say, url: url?.replace(/\/{1,9}$/, ''), apiKey: env.RAMAL_API_KEY })
}

async function runRemote(run: ApiCommand['runRemote'], words: readonly string[], values: Options): Promise<unknown> {
  const env = environment()
  const config = readConfig(env)
  const api = apiClient(
    values.url?.replace(/\/{1,9}$/, '') ?? ownUrl(config),
    await readKey(env.RAMAL_API_KEY, config.dataDir),
  )
  const note = (line: string) => void process.stderr.write(`${printable(line)}\n`)
  return run({ api, options: values, words, print: (line) => print(printable(line)), note })
}

try {
  const { values, positionals } = parseArgs({ options, allowPositionals: true })
  const result = await run(positionals, values)
  if (result === false) process.exitCode = 1
  if (typeof result === 'number') process.exitCode = result
} catch (error) {
  const { message, code } = error as Error & { code?: string }
  process.stderr.write(`ramal: ${message}\n`)
  if (error instanceof UsageError || code?.startsWith('ERR_PARSE_ARGS')) process.stderr.write(`\n${help}`)
  process.exitCode = 1
}
