// Roles in an organization, and what each permits: the one table that the server, the documents and the page read.

export const memberRoles = ['owner', 'admin', 'builder', 'attendant', 'viewer'] as const
export type MemberRole = (typeof memberRoles)[number]

/** Nothing, reading, or reading and changing. */
type Cell = '-' | 'r' | 'rw'

/** Kinds of records and of work, with the cell of each role in the order of `memberRoles`. */
const table = {
  // Agents with their prompts, drafts, links and rehearsals
  agents: ['rw', 'rw', 'rw', '-', 'r'],
  // Tools, knowledge bases and spreadsheets
  tools: ['rw', 'rw', 'rw', '-', 'r'],
  // Test calls from the page
  tests: ['rw', 'rw', 'rw', '-', '-'],
  voices: ['rw', 'rw', 'rw', '-', 'r'],
  numbers: ['rw', 'rw', 'r', '-', 'r'],
  trunks: ['rw', 'rw', 'r', '-', 'r'],
  devices: ['rw', 'rw', 'r', '-', 'r'],
  // Accounts with vendors of models and speech
  providers: ['rw', 'rw', 'r', '-', 'r'],
  widgets: ['rw', 'rw', 'r', '-', 'r'],
  // API keys
  keys: ['rw', 'rw', '-', '-', '-'],
  // Webhooks and answer hooks
  webhooks: ['rw', 'rw', '-', '-', '-'],
  // Writing: placing and ending calls
  calls: ['rw', 'rw', 'r', 'rw', 'r'],
  // Reading: listening to a live call; writing: speaking in it and transferring it
  live: ['rw', 'rw', '-', 'rw', '-'],
  conversations: ['rw', 'rw', 'rw', 'r', 'r'],
  callbacks: ['rw', 'rw', 'r', 'rw', 'r'],
  suppressions: ['rw', 'rw', 'r', 'rw', 'r'],
  // Campaigns and calling rules
  campaigns: ['rw', 'rw', 'r', '-', 'r'],
  // Erasing calls, conversations and callers
  erasure: ['rw', 'rw', '-', '-', '-'],
  // Members may get these two beyond their role
  recordings: ['r', 'r', '-', '-', '-'],
  exports: ['r', 'r', '-', '-', '-'],
  members: ['rw', 'rw', 'r', 'r', 'r'],
  // Adopting keys
  ownership: ['rw', '-', '-', '-', '-'],
  organization: ['rw', 'rw', 'r', 'r', 'r'],
  audit: ['r', 'r', '-', '-', '-'],
} as const satisfies Readonly<Record<string, readonly [Cell, Cell, Cell, Cell, Cell]>>

export type ResourceKind = keyof typeof table
export type Permission = `${ResourceKind}:${'read' | 'write'}`
/** Permissions that a member may have beyond their role. */
export type MemberExtras = { mayListen: boolean; mayExport: boolean }

export const resourceKinds = Object.keys(table) as ResourceKind[]

const noExtras: MemberExtras = { mayListen: false, mayExport: false }

/** What a member may do. */
export function permissionsOf(role: MemberRole, { mayListen, mayExport } = noExtras): ReadonlySet<Permission> {
  const column = memberRoles.indexOf(role)
  const may = new Set<Permission>()
  for (const kind of resourceKinds) {
    const cell = table[kind][column]
    if (cell !== '-') may.add(`${kind}:read`)
    if (cell === 'rw') may.add(`${kind}:write`)
  }
  if (mayListen) may.add('recordings:read')
  if (mayExport) may.add('exports:read')
  return may
}
