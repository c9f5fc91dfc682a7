// The type of a command: its help text, its context, and the validation of its arguments.
import type { masterKeys } from '../base/crypto/master-key.ts'
import type { KeyRing } from '../base/crypto/secrets.ts'
import type { Config } from '../config/config.ts'
import type { Database } from '../db/database.ts'
import type { Api } from './platform-api.ts'

/** An invalid invocation: the usage of the command is printed after the message. */
export class UsageError extends Error {}

export const options = {
  email: { type: 'string' },
  role: { type: 'string' },
  user: { type: 'string' },
  name: { type: 'string' },
  scopes: { type: 'string' },
  'rate-limit': { type: 'string' },
  'expires-in-days': { type: 'string' },
  echo: { type: 'string' },
  agent: { type: 'string' },
  replay: { type: 'string' },
  say: { type: 'string', multiple: true },
  url: { type: 'string' },
  kind: { type: 'string' },
  model: { type: 'string' },
  'base-url': { type: 'string' },
  shared: { type: 'boolean' },
  trunk: { type: 'string' },
  device: { type: 'string' },
  'caller-id': { type: 'string' },
  country: { type: 'string' },
  rules: { type: 'string' },
  'start-at': { type: 'string' },
  'end-at': { type: 'string' },
  'max-concurrent': { type: 'string' },
  'per-second': { type: 'string' },
  settings: { type: 'string' },
  status: { type: 'string' },
  'phone-column': { type: 'string' },
  rejected: { type: 'string' },
  format: { type: 'string' },
  output: { type: 'string', short: 'o' },
  list: { type: 'string' },
  search: { type: 'string' },
  reason: { type: 'string' },
  note: { type: 'string' },
  sector: { type: 'string' },
  'effective-at': { type: 'string' },
  organization: { type: 'string' },
  head: { type: 'string' },
  json: { type: 'boolean' },
  yes: { type: 'boolean' },
  help: { type: 'boolean' },
} as const

export type Options = {
  [K in keyof typeof options]?: (typeof options)[K]['type'] extends 'boolean'
    ? boolean
    : (typeof options)[K] extends { multiple: true }
      ? string[]
      : string
}

export type CommandContext = {
  config: Config
  database: Database
  options: Options
  /** The first argument after the command's name. */
  subject: string | undefined
  /** The second argument. */
  value: string | undefined
  secrets: () => KeyRing
  masterKeys: () => ReturnType<typeof masterKeys>
  print: (line: string) => void
}

export type Command = {
  /** The command line, with its arguments. */
  usage: string
  summary: string
  /** Resolves with false on failure: the exit code is then 1. */
  run: (context: CommandContext) => Promise<unknown>
}

/** A client of the running platform, which may be on another machine. */
export type ApiCommandContext = {
  api: Api
  options: Options
  /** The arguments after the command's name. */
  words: readonly string[]
  print: (line: string) => void
  /** To standard error: what a script does not read. */
  note: (line: string) => void
}

export type ApiCommand = {
  usage: string
  summary: string
  /** Resolves with the exit code if it is not 0: 2 is an answer that says no. */
  runRemote: (context: ApiCommandContext) => Promise<unknown>
}

/** Of one campaign: the first word is its id. */
export const campaignPath = ([id]: readonly string[]) => `/api/campaigns/${encodeURIComponent(required(id, 'ID'))}`

/** The query string of the fields that are given. */
export function queryOf(fields: Record<string, string | undefined>): string {
  const given = Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined)
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`
}

/** Prints the value as JSON with --json, otherwise as lines of text. */
export function show({ options, print }: ApiCommandContext, value: unknown, lines: string | readonly string[]): void {
  for (const line of options.json ? [JSON.stringify(value)] : [lines].flat()) print(line)
}

/** The cells of a line of a list; empty ones are left out. */
export const columns = (...cells: (string | null | undefined)[]): string => cells.filter(Boolean).join('  ')

export function required(argument: string | undefined, name: string): string {
  if (!argument) throw new UsageError(`${name} is missing`)
  return argument
}

export function confirmed({ yes }: Options, consequence: string): void {
  if (!yes) throw new UsageError(`${consequence}; add --yes to confirm`)
}

const withOffset = /^\d{4}-\d\d-\d\dT\d\d:\d\d[\d:.]{0,13}(Z|[+-]\d\d:\d\d)$/i

/** The API validates the rest. Without an offset, the time zone would be a guess: this machine's, or that of the people called. */
export function moment(text: string | undefined, name: string): string | undefined {
  if (text === undefined || withOffset.test(text)) return text
  throw new UsageError(`${name} must be a time with its offset from UTC, such as 2026-12-01T09:00-03:00`)
}

export function wholeNumber(
  text: string | undefined,
  { name, min, max }: { name: string; min: number; max: number },
): number | undefined {
  if (text === undefined) return undefined
  const value = Number(text)
  if (!Number.isInteger(value) || value < min || value > max)
    throw new UsageError(`${name} must be from ${min} to ${max}`)
  return value
}
