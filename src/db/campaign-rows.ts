// The rows of campaigns, their contacts and attempts, suppressions and calling rules; part of tables.ts.
import type {
  AttemptOutcome,
  AttemptStatus,
  CampaignReason,
  CampaignStatus,
  ContactStatus,
  ImportStatus,
  RowResult,
  SuppressionReason,
} from '../base/domain/campaigns.ts'

export type CampaignRow = {
  id: string
  userId: string
  agentId: string | null // null: the agent is purged; the campaign was canceled before
  name: string
  status: CampaignStatus
  statusReason: CampaignReason | null // of paused and canceled
  statusDetail: string | null // the reason in words
  trunkId: string | null
  deviceId: string | null // trunkId, deviceId or none: the agent's own routes
  callerId: string | null // null: of the trunk or device
  defaultCountry: string // ISO 3166-1 alpha-2: for numbers without a country code
  schedule: string // JSON, see features/campaigns/schema.ts
  pacing: string // JSON
  retries: string // JSON
  rulesId: string // a built-in pack or a row of callingRules
  disclosure: string // JSON
  predialUrl: string | null
  predialSecretSealed: string | null // signs the requests of the pre-dial webhook
  columns: string // JSON: columns of the imported lists, in order
  phoneColumn: string | null
  createdAt: string
  updatedAt: string
  startedAt: string | null // for the first time
  resumedAt?: string | null // when it last began to run
  endedAt: string | null
  removedAt: string | null // hidden from every reader; erased in batches (campaign-erasure.ts)
  rowVersion?: number // see VersionedRow in tables.ts
}

export type CampaignImportRow = {
  id: string
  userId: string
  campaignId: string
  status: ImportStatus
  error: string | null // the error code and message of a failed import
  firstNumber: number // of its rows in campaignListRows
  rows: number // read so far
  accepted: number
  merged: number
  rejected: number
  suppressed: number
  createdAt: string
  endedAt: string | null
  leaseUntil: string // by the database's clock; still running after this: its process crashed
}

/** One row of an imported list, as it was written there, and what became of it. */
export type CampaignListRow = {
  campaignId: string
  number: number // 1 is the first row ever imported; goes on over several imports
  importId: string
  userId: string
  cells: string // JSON: a text for each column of the campaign
  result: RowResult
  reason: string | null // a code; of rejected and suppressed
  contactId: string | null
  line?: number | null // of its file, as a spreadsheet program numbers it; null: it came from no file
}

export type CampaignContactRow = {
  id: string
  userId: string
  campaignId: string
  phoneNumber: string // E.164; unique in the campaign. Empty once the number was forgotten
  numberHash: string // keyed hash, see number-hash.ts
  variables: string // JSON
  status: ContactStatus
  outcome: AttemptOutcome | null // of the last attempt
  tries: number // attempts that count
  dueAt: string | null // waiting: not before this
  dueReason: string | null // JSON: why then (window, zone, spacing)
  hasVoicemail: 0 | 1 // a message was left: no second one
  createdAt: string
  updatedAt: string
}

/** The ledger: written before anything is dialed, unique for each contact and try. */
export type CampaignAttemptRow = {
  id: string
  userId: string
  campaignId: string
  contactId: string
  phoneNumber: string // empty once the number was forgotten
  numberHash: string
  tryNumber: number // from 1
  status: AttemptStatus
  outcome: AttemptOutcome | null
  detail: string | null // in words: why it ended, or is in doubt
  callerId: string | null
  callId: string | null // the call of this attempt; kept as text when the call is deleted
  decision: string // JSON: rule pack and version, list versions, window, zone
  nodeId: string | null
  leaseUntil: string // claimed: its node died when this has passed. By the database's clock
  talkSeconds: number | null
  createdAt: string
  dialedAt: string | null
  endedAt: string | null
}

/** A list of others: imported as a whole, with the date from which it holds. */
export type SuppressionListRow = {
  id: string
  userId: string
  name: string
  sector: string | null // null: it holds for every campaign
  effectiveAt: string
  version: number // of the entries that hold; 0: nothing was imported yet
  lastVersion: number // the newest version for which entries were written
  importUntil: string | null // lease of an import, by the database's clock; passed: entries of other versions may be left over
  entryCount: number
  importedAt: string | null
  createdAt: string
  updatedAt: string
  rowVersion?: number
}

export type SuppressionRow = {
  id: string
  userId: string
  listId: string | null // null: the user's own list
  listVersion: number // holds while the list has this version; 0 in the own list
  phoneNumber: string | null // null: forgotten, or only the hash was kept
  numberHash: string
  reason: SuppressionReason
  note: string | null
  campaignId: string | null
  callId: string | null // where it was asked for
  createdAt: string
}

/** A rule pack that a user copied and edited. */
export type CallingRulesRow = {
  id: string
  userId: string
  name: string
  pack: string // JSON, see rule-packs/pack.ts
  version: number // stands in every decision
  createdAt: string
  updatedAt: string
  rowVersion?: number
}

/** Pacing over all nodes: the next attempt of this name may leave at `nextAt`. By the database's clock. */
export type PaceRow = { name: string; nextAt: string }

/** Attempts of a caller in a month, for thresholds of regulators. */
export type CallerMonthRow = { userId: string; callerId: string; month: string; attempts: number; warnedAt: number }

export type CampaignTables = {
  campaigns: CampaignRow
  campaignImports: CampaignImportRow
  campaignListRows: CampaignListRow
  campaignContacts: CampaignContactRow
  campaignAttempts: CampaignAttemptRow
  suppressionLists: SuppressionListRow
  suppressions: SuppressionRow
  callingRules: CallingRulesRow
  paces: PaceRow
  callerMonths: CallerMonthRow
}
