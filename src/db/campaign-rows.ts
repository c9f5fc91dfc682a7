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
  agentId: string | null // null: the agent was purged, and the campaign canceled before
  name: string
  status: CampaignStatus
  statusReason: CampaignReason | null // for paused and canceled
  statusDetail: string | null // human-readable reason
  trunkId: string | null
  deviceId: string | null // trunkId, deviceId or none: the agent's own routes
  callerId: string | null // null: that of the trunk or device
  defaultCountry: string // ISO 3166-1 alpha-2; used for numbers without a country code
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
  startedAt: string | null // the first time
  resumedAt?: string | null // when it was last started or resumed
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
  firstNumber: number // its first row in campaignListRows
  rows: number // read so far
  accepted: number
  merged: number
  rejected: number
  suppressed: number
  createdAt: string
  endedAt: string | null
  leaseUntil: string // by the database clock; if still running after this, its process crashed
}

/** One row of an imported list: its original contents, and the result of its import. */
export type CampaignListRow = {
  campaignId: string
  number: number // 1 is the first row ever imported; continues across imports
  importId: string
  userId: string
  cells: string // JSON: a text for each column of the campaign
  result: RowResult
  reason: string | null // an error code, for rejected and suppressed
  contactId: string | null
  line?: number | null // line in the file, as numbered by a spreadsheet program; null: not from a file
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
  tries: number // counted attempts
  dueAt: string | null // waiting: not before this
  dueReason: string | null // JSON: the reason for this time (window, zone, spacing)
  hasVoicemail: 0 | 1 // a voicemail was left: do not leave another
  createdAt: string
  updatedAt: string
}

/** The ledger of attempts: written before anything is dialed, unique per contact and try. */
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
  detail: string | null // human-readable: why it ended or is in doubt
  callerId: string | null
  callId: string | null // this attempt's call; kept as text after the call is deleted
  decision: string // JSON: rule pack and version, list versions, window, zone
  nodeId: string | null
  leaseUntil: string // for claimed: once past, its node died. By the database clock
  talkSeconds: number | null
  createdAt: string
  dialedAt: string | null
  endedAt: string | null
}

/** A third-party list, always imported as a whole, with its effective date. */
export type SuppressionListRow = {
  id: string
  userId: string
  name: string
  sector: string | null // null: applies to every campaign
  effectiveAt: string
  version: number // version of the current entries; 0: nothing imported yet
  lastVersion: number // the newest version that entries were written for
  importUntil: string | null // lease of an import, by the database clock; once past, old entries may be left over
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
  listVersion: number // applies while the list has this version; 0 in the own list
  phoneNumber: string | null // null: forgotten, or only the hash was kept
  numberHash: string
  reason: SuppressionReason
  note: string | null
  campaignId: string | null
  callId: string | null // where it was requested
  createdAt: string
}

/** A rule pack that a user copied and edited. */
export type CallingRulesRow = {
  id: string
  userId: string
  name: string
  pack: string // JSON, see rule-packs/pack.ts
  version: number // recorded in every decision
  createdAt: string
  updatedAt: string
  rowVersion?: number
}

/** Pacing across all nodes: the next attempt under this name may leave at `nextAt`. By the database clock. */
export type PaceRow = { name: string; nextAt: string }

/** A caller's attempts in a month, for regulators' thresholds. */
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
