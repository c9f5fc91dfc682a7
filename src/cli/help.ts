// The list of commands, and their help: for all, for one, or for those that start with a word.
import { auditCommands } from './audit.ts'
import { backupCommands } from './backup.ts'
import { campaignCommands } from './campaigns.ts'
import type { ApiCommand, Command } from './command.ts'
import { deviceLink } from './device-link.ts'
import { forget } from './forget.ts'
import { keyCommands } from './keys.ts'
import { providerCommands } from './providers.ts'
import { recordingCommands } from './recordings.ts'
import { rehearse } from './rehearse.ts'
import { addressesRelease, numbersRelease } from './releases.ts'
import { suppressionCommands } from './suppressions.ts'
import { talkHelp } from './talk.ts'
import { trunkDoctor } from './trunk-doctor.ts'
import { userCommands } from './users.ts'

type AnyCommand = Pick<Command, 'usage' | 'summary'> & Partial<Command & ApiCommand>

const groups: Record<string, Record<string, AnyCommand>> = {
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
  Maintenance: { ...backupCommands, ...recordingCommands, ...auditCommands },
}

const commands = new Map(Object.values(groups).flatMap((group) => Object.entries(group)))

/** The command named by the first words, and the number of words in its name. */
export function findCommand([first = '', second = '']: readonly string[]) {
  const pair = commands.get(`${first} ${second}`)
  const command = pair ?? commands.get(first)
  return command && { command, length: pair ? 2 : 1 }
}

const described = ({ usage, summary }: AnyCommand) => `  ramal ${usage}\n      ${summary}.\n`

const allCommands = () => `Usage: ramal COMMAND [arguments] [options]

Manages this server's platform. It reads the same settings as the platform: the environment and .env.
${Object.entries(groups)
  .map(([title, group]) => `\n${title}:\n${Object.values(group).map(described).join('')}`)
  .join('')}
USER is an id, or a name or e-mail address that only one user has.
`

const isGroup = (word: string) => [...commands.keys()].some((name) => name.startsWith(`${word} `))

/** For the command that the words name, for those that start with the first word, or for all. */
export function helpFor(words: readonly string[]): string {
  const [first = ''] = words
  const found = findCommand(words)
  if (found) return described(found.command)
  if (!isGroup(first)) return allCommands()
  return [...commands].flatMap(([name, command]) => (name.startsWith(`${first} `) ? described(command) : [])).join('')
}

/** A single word that several commands start with asks for their list. */
export const asksForHelp = (words: readonly string[]): boolean =>
  words.length === 1 && !findCommand(words) && isGroup(words[0] ?? '')

/** Follows the message of a usage error; short, so that the message stays in view. */
export function usageAfterError(words: readonly string[]): string {
  const [first = ''] = words
  const found = findCommand(words)
  if (found) return `usage: ramal ${found.command.usage}\n`
  return isGroup(first) ? `ramal ${first} lists its commands.\n` : 'ramal help lists the commands.\n'
}
