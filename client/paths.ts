// Made from the OpenAPI document by `npm run client`. Not edited by hand.

export type ActiveCall = {
  callId: string
  /** Same as callId; identifies the recording */
  sessionId: string
  conversationId: string | null
  /** null if the call was rejected before an agent was assigned */
  agentId: string | null
  direction: 'inbound' | 'outbound'
  status:
    | 'initiating'
    | 'ringing'
    | 'in_progress'
    | 'transferring'
    | 'completed'
    | 'failed'
    | 'busy'
    | 'no_answer'
    | 'canceled'
  fromNumber: string | null
  toNumber: string
  trunkId: string | null
  deviceId: string | null
  channel: 'sip' | 'web' | 'whatsapp'
  startedAt: string
  ringingAt: string | null
  answeredAt: string | null
  /** From answer to end, or to now while the call is live */
  durationSeconds: number | null
  metadata: Record<string, unknown> | null
}

export type Addresses = {
  /** HOST: where HTTP listens */
  host: {
    value: string | null
    /** Set in the environment or in .env: it cannot be changed here */
    isFixed: boolean
  }
  /** SIP_HOST: where SIP listens; null: where HTTP does */
  sipHost: {
    value: string | null
    /** Set in the environment or in .env: it cannot be changed here */
    isFixed: boolean
  }
  /** PUBLIC_URL: the address that links and code show */
  publicUrl: {
    value: string | null
    /** Set in the environment or in .env: it cannot be changed here */
    isFixed: boolean
  }
  /** PUBLIC_ADDRESS: the address in SIP and SDP behind NAT */
  publicAddress: {
    value: string | null
    /** Set in the environment or in .env: it cannot be changed here */
    isFixed: boolean
  }
  /** When this process was started */
  startedAt: string
}

export type Agent = {
  id: string
  name: string
  description: string | null
  /** The agent's instructions */
  systemPrompt: string
  /** A voice of the ttsProvider */
  voiceId: string | null
  isActive: boolean
  direction: 'inbound' | 'outbound' | 'both'
  language: string
  ttsProvider: 'provider_a' | 'provider_b' | 'provider_c'
  /** First sentence when the call is answered; may hold {{name}} variables */
  initialSpeech: string | null
  /** As sent */
  llmConfig: Record<string, unknown> | null
  /** As sent */
  provider_aConfig: Record<string, unknown> | null
  /** As sent, with the fields described in the request body of POST /api/agents */
  settings: Record<string, unknown> | null
  createdAt: string
  updatedAt: string
}

export type AgentCalls = {
  agentId: string
  calls: number
  answered: number
  lastCallAt: string
}

export type AgentChain = {
  /** Who replies, in order; the last one is embedded */
  llm: {
    /** environment…: set in the environment. embedded: inside the platform */
    id: string
    name: string
    /** null: the engine has no models, or chooses by itself */
    model: string | null
    /** Kind tts; null: the default for the language */
    voiceId: string | null
    source: 'own' | 'shared' | 'environment' | 'embedded'
    /** As calls of this process have seen it */
    health: ProviderHealth
  }[]
  /** Who recognises speech, in order; the last one is embedded */
  stt: {
    /** environment…: set in the environment. embedded: inside the platform */
    id: string
    name: string
    /** null: the engine has no models, or chooses by itself */
    model: string | null
    /** Kind tts; null: the default for the language */
    voiceId: string | null
    source: 'own' | 'shared' | 'environment' | 'embedded'
    /** As calls of this process have seen it */
    health: ProviderHealth
  }[]
  /** Who speaks, in order; the last one is embedded */
  tts: {
    /** environment…: set in the environment. embedded: inside the platform */
    id: string
    name: string
    /** null: the engine has no models, or chooses by itself */
    model: string | null
    /** Kind tts; null: the default for the language */
    voiceId: string | null
    source: 'own' | 'shared' | 'environment' | 'embedded'
    /** As calls of this process have seen it */
    health: ProviderHealth
  }[]
  warnings: {
    kind: 'llm' | 'stt' | 'tts'
    code:
      | 'no_model'
      | 'account_missing'
      | 'key_missing'
      | 'model_missing'
      | 'no_embedded_voice'
      | 'no_embedded_recognition'
      | 'embedded_voice_off'
    /** The account that it is about */
    providerId: string | null
    message: string
  }[]
}

export type AgentContents = {
  calls: number
  recordings: number
  conversations: number
  /** Numbers that stay, without an agent */
  phoneNumbers: number
}

export type Analysis = {
  summary: string | null
  /** Whether the goal in `settings.analysis.success` was met */
  success: boolean | null
  successReason: string | null
  /** Values that follow the schema in `settings.analysis.fields` */
  fields: Record<string, unknown> | null
  /** The model, or `rules` without one: extracted sentences, no judgement */
  by: string
  at: string
}

export type AnswerHook = {
  id: string
  /** url: your server is asked; spreadsheet: the row with the number of the caller answers */
  kind: 'url' | 'spreadsheet'
  url: string | null
  spreadsheet: {
    spreadsheetId: string
    column: string
    agentColumn: string | null
    languageColumn: string | null
    refuseColumn: string | null
    transferColumn: string | null
    contextColumn: string | null
  } | null
  /** How long the caller hears ringing at most; after that the call is answered without the hook */
  timeoutMs: number
  isActive: boolean
  createdAt: string
  updatedAt: string
}

export type ApiKey = {
  id: string
  name: string
  /** First characters of the key; all that is shown after creation */
  prefix: string
  /** null: full access */
  scopes: ('agents' | 'dids' | 'conversations' | 'calls' | 'tools' | 'tts' | 'gateway')[] | null
  /** Requests per minute */
  rateLimit: number
  expiresAt: string | null
  createdAt: string
  lastUsedAt: string | null
  isActive: boolean
}

export type AuditEntry = {
  id: string
  createdAt: string
  personId: string | null
  /** null: the person was removed */
  personName: string | null
  /** The API key, or the session (ses_…) */
  credentialId: string | null
  /** The network that the request came from */
  address: string | null
  action: string
  kind:
    | 'agent'
    | 'tool'
    | 'toolLink'
    | 'knowledgeBase'
    | 'document'
    | 'spreadsheet'
    | 'number'
    | 'trunk'
    | 'trunkLink'
    | 'device'
    | 'gatewayAccount'
    | 'provider'
    | 'widget'
    | 'webhook'
    | 'answerHook'
    | 'key'
    | 'campaign'
    | 'contact'
    | 'callingRules'
    | 'suppression'
    | 'suppressionList'
    | 'callback'
    | 'call'
    | 'conversation'
    | 'organization'
    | 'member'
    | 'invitation'
    | 'user'
    | 'session'
    | 'settings'
    | 'audit'
  recordId: string | null
  changes: {
    field: string
    /** Missing if the values of this field are not shown */
    from?: unknown
    /** A text over 300 characters is cut: text, length, sha256 */
    to?: unknown
  }[]
  /** Place in the chain; null for up to a minute */
  sequence: number | null
  /** SHA-256 over the hash before it and this entry */
  hash: string | null
}

export type Call = {
  id: string
  callId: string
  /** Same as callId; identifies the recording */
  sessionId: string
  conversationId: string | null
  /** null if the call was rejected before an agent was assigned */
  agentId: string | null
  direction: 'inbound' | 'outbound'
  status:
    | 'initiating'
    | 'ringing'
    | 'in_progress'
    | 'transferring'
    | 'completed'
    | 'failed'
    | 'busy'
    | 'no_answer'
    | 'canceled'
  fromNumber: string | null
  toNumber: string
  trunkId: string | null
  deviceId: string | null
  channel: 'sip' | 'web' | 'whatsapp'
  startedAt: string
  ringingAt: string | null
  answeredAt: string | null
  /** From answer to end, or to now while the call is live */
  durationSeconds: number | null
  metadata: Record<string, unknown> | null
  endedAt: string | null
  /** Why the call ended; calls of older versions may have other values */
  endReason:
    | 'agent_ended'
    | 'agent_inactive'
    | 'busy'
    | 'caller_hangup'
    | 'canceled_by_api'
    | 'concurrency_limit'
    | 'end_phrase'
    | 'fax'
    | 'internal_error'
    | 'invalid_number'
    | 'llm_error'
    | 'max_duration'
    | 'media_timeout'
    | 'no_answer'
    | 'node_shutdown'
    | 'number_not_in_service'
    | 'orphaned'
    | 'rejected'
    | 'silence_timeout'
    | 'sip_error'
    | 'stt_error'
    | 'transferred'
    | 'trunk_auth_failed'
    | 'trunk_unavailable'
    | 'tts_error'
    | 'voicemail'
    | null
  /** The reason as a sentence */
  endDetail: string | null
  sipCode: number | null
  hangupBy: 'caller' | 'agent' | 'system' | 'carrier' | null
  answeredBy: 'human' | 'machine' | 'ivr' | 'unknown' | null
  variables: Record<string, unknown> | null
  /** A test call (`metadata.isTest`): left out of the figures of the overview */
  isTest?: boolean
  /** A full or partial recording can be downloaded */
  hasRecording: boolean
  /** recording: in progress; partial: the end is missing; failed: no file */
  recordingStatus: 'none' | 'recording' | 'complete' | 'partial' | 'failed'
  /** Why the recording is partial or failed */
  recordingError: 'disk_full' | 'disk_slow' | 'not_writable' | 'process_ended' | null
  /** The node (NODE_NAME) that runs or ran the call and holds its recording */
  nodeId?: string | null
}

export type CallCount = {
  /** At most 10,000 */
  count: number
  /** There are more than `count` */
  hasMore: boolean
}

export type CallHook = {
  callId: string
  hook: HookOutcome | null
}

export type Callback = {
  id: string
  agentId: string | null
  /** null: requested by text */
  callId: string | null
  conversationId: string | null
  /** As the person gave it */
  name: string | null
  /** The number they gave, or else the one they called from; E.164 where the country is known */
  phoneNumber: string | null
  /** What it is about, in their words */
  matter: string | null
  /** no_model: no language model was available, so a message was taken; requested: the person asked for it */
  reason: 'no_model' | 'requested'
  status: 'open' | 'done' | 'canceled'
  /** Yours */
  note: string | null
  /** Not before this; null: at any time */
  dueAt: string | null
  createdAt: string
  updatedAt: string
}

export type CallingRules = {
  /** Of a pack of yours; those of the product have names, such as br-strict */
  id: string
  name: string
  isBuiltIn: boolean
  /** Stands in every decision */
  version: number
  /** Windows, holidays, frequency, spacing and thresholds, each with its source and the day it was consulted */
  pack: Record<string, unknown>
  /** Names and sources that the product wrote, in three languages; the pack has them in English */
  texts?: {
    en: string
    pt: string
    es: string
  }[]
  createdAt: string | null
  updatedAt: string | null
}

export type Campaign = {
  id: string
  name: string
  agentId: string | null
  status: 'draft' | 'scheduled' | 'running' | 'paused' | 'completed' | 'canceled'
  /** Why it is paused or was canceled */
  statusReason:
    | 'user'
    | 'failure_burst'
    | 'short_calls'
    | 'low_answer_rate'
    | 'monthly_limit'
    | 'daily_budget'
    | 'rules_unreadable'
    | 'no_route'
    | 'cannot_start'
    | 'agent_removed'
    | 'trunk_removed'
    | 'device_removed'
    | null
  statusDetail: string | null
  /** Calls leave by this trunk */
  trunkId: string | null
  /** Calls leave by this device */
  deviceId: string | null
  /** Shown to the person called; null: of the trunk or device */
  callerId: string | null
  /** ISO 3166-1: the country of numbers that are written without one */
  defaultCountry: string
  schedule: {
    /** Not before this; null: when it is started */
    startAt?: string | null
    /** No attempt after this; null: until every contact is done */
    endAt?: string | null
    /** Times in the time zone of the person who is called. The calling rules narrow them further; null: only the rules */
    windows?:
      | {
          /** Days of the week, 1 is Monday */
          days: number[]
          from: string
          /** Exclusive; 24:00 is midnight */
          to: string
        }[]
      | null
  }
  pacing: {
    /** Calls of this campaign at the same time, on all nodes together */
    maxConcurrentCalls: number
    /** Attempts each second, on all nodes together */
    callsPerSecond: number
  }
  retries: {
    /** Attempts for each contact in total */
    maxAttempts: number
    /** No rule: no retry */
    rules: {
      outcome: 'no_answer' | 'busy' | 'voicemail' | 'unreachable' | 'failed' | 'rejected'
      /** Further attempts after this outcome */
      times: number
      /** At the earliest */
      afterMinutes: number
    }[]
    /** Prefer another part of the day (morning, afternoon, evening) than the last attempt */
    otherTimeOfDay: boolean
  }
  /** A built-in rule pack (br-strict, international) or one of yours */
  rulesId: string
  disclosure: {
    /** The agent says first that a machine is calling */
    isOn: boolean
    /** Its words; null: a sentence in the language of the agent */
    text?: string | null
  }
  predial: {
    /** Asked before each attempt; only {"eligible": true} within 3 s lets it leave */
    url: string
  } | null
  /** Columns of the imported lists; each is a variable */
  columns: string[]
  phoneColumn: string | null
  contacts: {
    total: number
    waiting: number
    calling: number
    in_doubt: number
    completed: number
    exhausted: number
    suppressed: number
    canceled: number
  }
  createdAt: string
  updatedAt: string
  startedAt: string | null
  endedAt: string | null
}

export type CampaignAttempt = {
  id: string
  campaignId: string
  contactId: string
  phoneNumber: string
  tryNumber: number
  status: 'claimed' | 'dialing' | 'ended' | 'in_doubt' | 'withdrawn'
  outcome:
    | 'answered'
    | 'voicemail'
    | 'no_answer'
    | 'busy'
    | 'rejected'
    | 'unreachable'
    | 'invalid_number'
    | 'failed'
    | 'not_sent'
    | 'suppressed'
    | 'ineligible'
    | null
  detail: string | null
  callerId: string | null
  callId: string | null
  /** Rule pack and version, list versions, window and time zone */
  decision: Record<string, unknown>
  talkSeconds: number | null
  createdAt: string
  dialedAt: string | null
  endedAt: string | null
}

export type CampaignContact = {
  id: string
  campaignId: string
  /** Empty once the number was forgotten */
  phoneNumber: string
  variables: Record<string, string>
  status: 'waiting' | 'calling' | 'in_doubt' | 'completed' | 'exhausted' | 'suppressed' | 'canceled'
  /** Of the last attempt */
  outcome:
    | 'answered'
    | 'voicemail'
    | 'no_answer'
    | 'busy'
    | 'rejected'
    | 'unreachable'
    | 'invalid_number'
    | 'failed'
    | 'not_sent'
    | 'suppressed'
    | 'ineligible'
    | null
  tries: number
  /** The next attempt: not before this; null in a draft without a start */
  dueAt: string | null
  /** Why then: window, time zone, spacing */
  dueReason: Record<string, unknown> | null
  createdAt: string
  updatedAt: string
}

export type CampaignImport = {
  id: string
  campaignId: string
  status: 'running' | 'completed' | 'failed'
  error: string | null
  /** Read so far */
  rows: number
  accepted: number
  /** Duplicates of an accepted row */
  merged: number
  rejected: number
  suppressed: number
  createdAt: string
  endedAt: string | null
}

export type CampaignImportedRow = {
  /** Position in the list */
  number: number
  /** Row of the file as a spreadsheet program numbers it, header and empty rows counted; null: not from a file */
  line: number | null
  cells: Record<string, string>
  result: 'accepted' | 'merged' | 'rejected' | 'suppressed'
  /** A code; of rejected and suppressed rows */
  reason: string | null
  contactId: string | null
}

export type CampaignPreview = {
  canStart: boolean
  /** What keeps it from starting */
  problems: {
    field: string
    code: string
    message: string
  }[]
  /** Contacts that wait, and those who are suppressed */
  total: number
  /** Contacts that were looked at; the counts below are of these. At most 20,000 */
  evaluated: number
  callableNow: number
  /** Outside their window now */
  later: number
  suppressed: number
  /** No permitted time at all */
  never: number
  /** Rows of the lists that were rejected: they are no contacts */
  rejected: number
  /** The first attempt */
  firstAt: string | null
  /** At the earliest: by the calls per second, without retries. Null where not every contact was looked at */
  estimatedEndAt: string | null
  sample: {
    contactId: string
    phoneNumber: string
    result: 'now' | 'later' | 'suppressed' | 'never'
    at: string | null
    /** Why: window, time zone, region, holiday, list */
    decision: Record<string, unknown>
    greeting: string | null
  }[]
  usage: {
    month: string
    /** Of this caller in this month so far */
    attempts: number
    /** Of the rule pack */
    threshold: number | null
  }
}

export type CampaignProgress = {
  /** Number of contacts by status */
  contacts: Record<string, unknown>
  /** Number of attempts by outcome */
  outcomes: Record<string, unknown>
  /** Of the recent attempts, by a person or a machine, 0 to 1 */
  answerRate: number | null
  /** Of the recent answered calls: six seconds or less */
  shortCallShare: number | null
  /** Attempts that ended in each hour, the last 72 */
  hours: {
    at: string
    /** Number of attempts by outcome */
    outcomes: Record<string, unknown>
  }[]
  liveCalls: number
}

export type Conversation = {
  id: string
  agentId: string
  title: string | null
  status: 'active' | 'ended' | 'failed'
  startedAt: string
  endedAt: string | null
  /** As sent when the conversation started; null for calls */
  variables: Record<string, unknown> | null
  analysis: Analysis | null
  /** null while the conversation is active */
  analysisStatus: 'pending' | 'processing' | 'done' | 'failed' | 'skipped' | null
}

export type ConversationCall = {
  id: string
  direction: 'inbound' | 'outbound'
  channel: 'sip' | 'web' | 'whatsapp'
  fromNumber: string | null
  toNumber: string
}

export type CreatedApiKey = {
  id: string
  name: string
  /** First characters of the key; all that is shown after creation */
  prefix: string
  /** null: full access */
  scopes: ('agents' | 'dids' | 'conversations' | 'calls' | 'tools' | 'tts' | 'gateway')[] | null
  /** Requests per minute */
  rateLimit: number
  expiresAt: string | null
  createdAt: string
  /** The full key; returned only once */
  key: string
}

export type CreatedInvitation = {
  id: string
  email: string
  name: string
  role: 'admin' | 'member'
  createdBy: string
  createdAt: string
  expiresAt: string
  isExpired: boolean
  /** The one-time link, below the address of the dashboard; returned only once. Send it to the person yourself */
  path: string
}

export type CreatedMemberInvitation = {
  id: string
  email: string
  name: string
  /** owner: everything; admin: everything but owners; builder: agents, tools and knowledge; attendant: calls and call-backs, no prompts, keys or providers; viewer: reads */
  role: 'owner' | 'admin' | 'builder' | 'attendant' | 'viewer'
  createdBy: string
  createdAt: string
  expiresAt: string
  isExpired: boolean
  /** The one-time link, below the address of the dashboard; returned only once. Send it to the person yourself */
  path: string
}

export type CreatedWebhook = {
  id: string
  url: string
  /** Event types; * selects all */
  events: (
    | '*'
    | 'call.initiated'
    | 'call.ringing'
    | 'call.answered'
    | 'call.ended'
    | 'call.failed'
    | 'call.analyzed'
    | 'call.recording_ready'
    | 'call.recording_failed'
    | 'call.transfer_started'
    | 'call.transfer_completed'
    | 'call.transfer_failed'
    | 'call.voicemail'
    | 'call.dtmf'
    | 'call.hook'
    | 'call.degraded'
    | 'call.recovered'
    | 'conversation.started'
    | 'conversation.message'
    | 'conversation.ended'
    | 'conversation.hook'
    | 'tool.called'
    | 'tool.completed'
    | 'tool.failed'
    | 'device.status_changed'
    | 'device.text_received'
    | 'trunk.status_changed'
    | 'user.invited'
    | 'user.invitation_revoked'
    | 'user.joined'
    | 'user.role_changed'
    | 'user.disabled'
    | 'user.enabled'
    | 'user.password_link_created'
    | 'user.password_reset'
    | 'user.second_factor_removed'
    | 'callback.requested'
    | 'callback.updated'
    | 'widget.limit_reached'
    | 'campaign.created'
    | 'campaign.updated'
    | 'campaign.scheduled'
    | 'campaign.started'
    | 'campaign.paused'
    | 'campaign.resumed'
    | 'campaign.completed'
    | 'campaign.canceled'
    | 'campaign.warning'
    | 'campaign.import.completed'
    | 'campaign.contact.completed'
    | 'campaign.attempt.in_doubt'
    | 'suppression.created'
    | 'suppression.removed'
    | 'audit.chained'
  )[]
  /** Only events of these agents */
  agentIds: string[] | null
  /** Device that owns this webhook through its webhookUrl */
  deviceId: string | null
  description: string | null
  isActive: boolean
  createdAt: string
  updatedAt: string
  /** Signing secret (whsec_…); returned only once */
  secret: string
}

export type Device = {
  id: string
  /** Same as id */
  deviceUuid: string
  /** Short, readable identifier */
  deviceId: string
  name: string | null
  /** Selects the device for outbound calls of this account; not a secret */
  token: string
  phone: string | null
  displayName: string | null
  /** How the device is connected: this server, WhatsApp, or a remote gateway */
  driver: 'embedded' | 'whatsapp' | 'remote'
  status: 'provisioning' | 'waiting_qr' | 'connected' | 'disconnected' | 'error' | 'disabled'
  connected: boolean
  /** PNG data URL while the device waits to be linked; null in lists, see /qr */
  qrCode: string | null
  qrExpiresAt: string | null
  /** Why the code may not work on a phone, such as a loopback address */
  qrWarning: string | null
  agentId: string | null
  inboundEnabled: boolean
  outboundEnabled: boolean
  maxConcurrentCalls: number | null
  recordCalls: boolean
  webhookUrl: string | null
  sip: {
    username: string
    domain: string
  }
  lastSeenAt: string | null
  lastError: string | null
  createdAt: string
  updatedAt: string
}

export type DeviceStatus = {
  hasDevice: boolean
  connected: boolean
  phone: string | null
  deviceId: string | null
  status: 'provisioning' | 'waiting_qr' | 'connected' | 'disconnected' | 'error' | 'disabled' | 'none'
}

export type Did = {
  id: string
  /** Full number in E.164 format */
  phoneNumber: string
  /** Country calling code, without plus */
  countryCode: string
  provider: string
  status: 'active' | 'inactive'
  /** The agent that answers this number */
  agentId: string | null
  createdAt: string
}

export type DocumentWithPassages = {
  id: string
  knowledgeBaseId: string
  name: string
  contentType: 'text/plain' | 'text/markdown' | 'text/html' | 'text/csv' | 'application/pdf'
  /** Characters of extracted text */
  letters: number
  passageCount: number
  /** Keyword search works at once, even while vectors or questions are pending or have failed */
  status: 'indexing' | 'ready' | 'failed'
  error: string | null
  createdAt: string
  updatedAt: string
  passages: KnowledgePassage[]
}

export type ErrorBody = {
  statusCode: number
  error: string
  message: string
}

export type Forgotten = {
  number: string
  dryRun: boolean
  calls: number
  recordings: number
  /** Of those calls and of text messages */
  conversations: number
  /** Text messages of devices, inbound and outbound */
  texts: number
  /** Call-back requests to this number */
  callbacks: number
  /** Entries of suppression lists: only a keyed hash is kept, so that nobody calls the number */
  suppressions: number
  /** Contacts of campaigns: number, variables and row are erased; those that wait are canceled */
  contacts: number
  /** Live calls and active conversations, which are kept */
  underWay: number
  /** Stored numbers with the same ending, such as the number without country code; they are kept */
  similar: string[]
}

export type GatewayCredentials = {
  email: string
  hasPassword: boolean
  status: 'unverified' | 'valid' | 'invalid'
  lastVerifiedAt: string | null
  createdAt: string
  updatedAt: string
}

export type HookOutcome = {
  /** applied: the answer was followed; empty: it asked for nothing; timeout: none in time; late: it came during the conversation; failed: no answer; invalid: not usable; skipped: not asked, because it failed before */
  status: 'applied' | 'empty' | 'timeout' | 'late' | 'failed' | 'invalid' | 'skipped'
  /** url: your server is asked; spreadsheet: the row with the number of the caller answers */
  kind: 'url' | 'spreadsheet'
  /** Until the answer, or until it was no longer waited for */
  ms: number
  /** Until the late answer */
  lateMs: number | null
  /** What was wrong, in a sentence */
  detail: string | null
  /** The agent that the answer chose */
  agentId: string | null
  language: string | null
  /** SIP code of the refusal */
  refuse: 403 | 404 | 410 | 480 | 484 | 486 | 600 | 603 | 604 | 607 | 608 | null
  transferTo: string | null
  /** Names of the variables; the values are those of the call */
  variables: string[]
  /** The answer had a text for the prompt */
  hasContext: boolean
}

export type Invitation = {
  id: string
  email: string
  name: string
  role: 'admin' | 'member'
  createdBy: string
  createdAt: string
  expiresAt: string
  isExpired: boolean
}

export type KeyMaker = {
  keyId: string
  /** The key has no more rights than this person has when it is used */
  personId: string
  name: string | null
  /** false: the key does not work until an owner adopts it */
  isMember: boolean
}

export type KnowledgeBase = {
  id: string
  name: string
  description: string | null
  /** Language of the documents; null: detected per passage */
  language: string | null
  /** Have the language model, if configured, write questions for each passage to improve search */
  generateQuestions: boolean
  documentCount: number
  passageCount: number
  createdAt: string
  updatedAt: string
}

export type KnowledgeDocument = {
  id: string
  knowledgeBaseId: string
  name: string
  contentType: 'text/plain' | 'text/markdown' | 'text/html' | 'text/csv' | 'application/pdf'
  /** Characters of extracted text */
  letters: number
  passageCount: number
  /** Keyword search works at once, even while vectors or questions are pending or have failed */
  status: 'indexing' | 'ready' | 'failed'
  error: string | null
  createdAt: string
  updatedAt: string
}

export type KnowledgePassage = {
  number: number
  /** Enclosing headings, outermost first */
  heading: string
  content: string
  questions: string[]
  hasVector: boolean
}

export type LinkedTrunk = {
  trunkId: string
  trunkType: 'inbound' | 'outbound'
  /** Most recent number of this link */
  phoneNumber: string | null
  phoneNumbers: string[]
  createdAt: string
  trunk: {
    id: string
    name: string
    host: string | null
    status:
      | 'unconfigured'
      | 'unknown'
      | 'registering'
      | 'registered'
      | 'reachable'
      | 'unreachable'
      | 'auth_failed'
      | 'disabled'
  }
}

export type ListedCall = {
  id: string
  callId: string
  /** Same as callId; identifies the recording */
  sessionId: string
  conversationId: string | null
  /** null if the call was rejected before an agent was assigned */
  agentId: string | null
  direction: 'inbound' | 'outbound'
  status:
    | 'initiating'
    | 'ringing'
    | 'in_progress'
    | 'transferring'
    | 'completed'
    | 'failed'
    | 'busy'
    | 'no_answer'
    | 'canceled'
  fromNumber: string | null
  toNumber: string
  trunkId: string | null
  deviceId: string | null
  channel: 'sip' | 'web' | 'whatsapp'
  startedAt: string
  ringingAt: string | null
  answeredAt: string | null
  /** From answer to end, or to now while the call is live */
  durationSeconds: number | null
  metadata: Record<string, unknown> | null
  endedAt: string | null
  /** Why the call ended; calls of older versions may have other values */
  endReason:
    | 'agent_ended'
    | 'agent_inactive'
    | 'busy'
    | 'caller_hangup'
    | 'canceled_by_api'
    | 'concurrency_limit'
    | 'end_phrase'
    | 'fax'
    | 'internal_error'
    | 'invalid_number'
    | 'llm_error'
    | 'max_duration'
    | 'media_timeout'
    | 'no_answer'
    | 'node_shutdown'
    | 'number_not_in_service'
    | 'orphaned'
    | 'rejected'
    | 'silence_timeout'
    | 'sip_error'
    | 'stt_error'
    | 'transferred'
    | 'trunk_auth_failed'
    | 'trunk_unavailable'
    | 'tts_error'
    | 'voicemail'
    | null
  /** The reason as a sentence */
  endDetail: string | null
  sipCode: number | null
  hangupBy: 'caller' | 'agent' | 'system' | 'carrier' | null
  answeredBy: 'human' | 'machine' | 'ivr' | 'unknown' | null
  variables: Record<string, unknown> | null
  /** A test call (`metadata.isTest`): left out of the figures of the overview */
  isTest?: boolean
  /** A full or partial recording can be downloaded */
  hasRecording: boolean
  /** recording: in progress; partial: the end is missing; failed: no file */
  recordingStatus: 'none' | 'recording' | 'complete' | 'partial' | 'failed'
  /** Why the recording is partial or failed */
  recordingError: 'disk_full' | 'disk_slow' | 'not_writable' | 'process_ended' | null
  /** The node (NODE_NAME) that runs or ran the call and holds its recording */
  nodeId?: string | null
  /** Of its analysis. Only with `include=details` */
  summary?: string | null
  /** Whether the goal was reached, by its analysis. Only with `include=details` */
  success?: boolean | null
  /** Median of its turns, from the end of the caller's speech to the agent's. Only with `include=details` */
  medianResponseMs?: number | null
}

export type ListedConversation = {
  id: string
  agentId: string
  title: string | null
  status: 'active' | 'ended' | 'failed'
  startedAt: string
  endedAt: string | null
  /** As sent when the conversation started; null for calls */
  variables: Record<string, unknown> | null
  analysis: Analysis | null
  /** null while the conversation is active */
  analysisStatus: 'pending' | 'processing' | 'done' | 'failed' | 'skipped' | null
  /** Only with `include=call`; null for a chat */
  call?: ConversationCall | null
}

export type ListedRehearsal = {
  id: string
  name: string
  agentId: string
  mode: 'text' | 'audio'
  replayOf: string | null
  status: 'running' | 'passed' | 'failed' | 'error'
  checksPassed: number
  checksFailed: number
  /** Duration of the call in simulated time */
  durationMs: number | null
  startedAt: string
  endedAt: string | null
}

export type ListedRehearsalScript = {
  id: string
  name: string
  agentId: string
  /** The call whose caller it repeats; deleted together with that call */
  callId: string | null
  createdAt: string
  updatedAt: string
  lastRun: ListedRehearsal | null
}

export type ListedTool = {
  id: string
  name: string
  /** Tells the model when to use the tool */
  description: string | null
  type:
    | 'custom'
    | 'api_request'
    | 'dtmf'
    | 'end_call'
    | 'transfer_call'
    | 'send_text'
    | 'query'
    | 'calendar'
    | 'spreadsheet'
    | 'chat_workspace'
    | 'mcp'
  method: string | null
  /** {param} is replaced by a collected parameter */
  requestUrl: string | null
  isActive: boolean
  createdAt: string
}

export type LocalServer = {
  vendor: string
  /** What the server is, as far as it says: Ollama, LM Studio, llama.cpp, vLLM, LocalAI */
  name: string
  baseUrl: string
  version: string | null
  models: string[]
}

export type Member = {
  id: string
  name: string
  email: string | null
  /** owner: everything; admin: everything but owners; builder: agents, tools and knowledge; attendant: calls and call-backs, no prompts, keys or providers; viewer: reads */
  role: 'owner' | 'admin' | 'builder' | 'attendant' | 'viewer'
  /** Listens to recordings, beyond the role */
  mayListen: boolean
  /** Exports results and lists, beyond the role */
  mayExport: boolean
  /** false: disabled by an administrator of the platform */
  isActive: boolean
  lastSignInAt: string | null
  joinedAt: string
}

export type MemberInvitation = {
  id: string
  email: string
  name: string
  /** owner: everything; admin: everything but owners; builder: agents, tools and knowledge; attendant: calls and call-backs, no prompts, keys or providers; viewer: reads */
  role: 'owner' | 'admin' | 'builder' | 'attendant' | 'viewer'
  createdBy: string
  createdAt: string
  expiresAt: string
  isExpired: boolean
}

export type Message = {
  id: string
  type: 'user' | 'agent' | 'system'
  /** Only of words that an operator had the agent say in a live call */
  author?: 'operator'
  content: string
  timestamp: string
}

export type ModelState = {
  /** null: the built-in rule agent, which is not a language model */
  provider: string | null
  name: string | null
  fallback: string | null
  /** Models an agent may choose; null: any */
  models: string[] | null
  /** Embedding model for semantic search */
  embeddings: string | null
}

export type Named = {
  id: string
  name: string
}

export type Organization = {
  id: string
  name: string
  /** Your role */
  role: 'owner' | 'admin' | 'builder' | 'attendant' | 'viewer'
  /** What you may do in it */
  permissions: string[]
  /** false: no member can sign in; it takes and places no calls */
  isActive: boolean
  createdAt: string
}

export type Overview = {
  /** Ringing or in progress */
  callsNow: number
  /** Queued outbound calls */
  waitingCalls: number
  today: {
    calls: number
    answered: number
    /** Ended by an error; busy and unanswered calls do not count */
    failed: number
    /** From answer to end, or to now while the call is live */
    minutes: number
    /** Average duration of an answered call; null if there was none */
    averageSeconds: number | null
    /** From the end of the caller's speech to the start of the agent's, over the last 200 calls */
    medianResponseMs: number | null
  }
  /** Yesterday up to the same time of day, to compare today with */
  yesterday: {
    calls: number
    answered: number
    minutes: number
    medianResponseMs: number | null
  }
  /** 14 days, oldest first, today last */
  days: {
    date: string
    calls: number
    answered: number
    minutes: number
    /** Calls that ended without an answer, by reason */
    notAnswered: {
      failed: number
      busy: number
      /** Not picked up, or canceled before */
      unanswered: number
    }
    /** Over the last 50 calls of the day (today: 200) */
    medianResponseMs: number | null
  }[]
  /** Steps to the first call, in order */
  setup: SetupStep[]
  /** The nodes of the service; empty unless the user is an administrator */
  nodes: ServiceNode[]
}

export type PasswordLink = {
  email: string
  /** The one-time link, below the address of the dashboard; returned only once. Send it to the person yourself */
  path: string
  expiresAt: string
}

export type Platform = {
  /** Public URL of this server, if configured */
  publicUrl: string | null
  voiceProviders: {
    provider_a: string
    provider_b: string
    provider_c: string
  }
  /** Default model; null: the rule agent answers */
  model: string | null
  /** Models an agent may choose; null: any */
  models: string[] | null
  /** Settings without which no phone on the network reaches this server; empty: phones can */
  missingForPhones: string[]
  /** Device drivers available to this user */
  gatewayDrivers: string[]
  budgets: {
    texts: {
      /** Per day (UTC); null: unlimited */
      limit: number | null
      /** Used today */
      used: number
    }
    calls: {
      /** Per day (UTC); null: unlimited */
      limit: number | null
      /** Used today */
      used: number
    }
    ttsCharacters: {
      /** Per day (UTC); null: unlimited */
      limit: number | null
      /** Used today */
      used: number
    }
    llmTokens: {
      /** Per day (UTC); null: unlimited */
      limit: number | null
      /** Used today */
      used: number
    }
    sttSeconds: {
      /** Per day (UTC); null: unlimited */
      limit: number | null
      /** Used today */
      used: number
    }
    embeddings: {
      /** Per day (UTC); null: unlimited */
      limit: number | null
      /** Used today */
      used: number
    }
  }
}

export type Provider = {
  /** environment…: set in the environment, read-only. embedded: the engines inside the platform */
  id: string
  /** What the account is for: language model, speech recognition, speech synthesis or embeddings */
  kind: 'llm' | 'stt' | 'tts' | 'embeddings'
  vendor: string
  name: string
  /** null: a platform's account, seen by a member */
  baseUrl: string | null
  /** Empty: the vendor has no models */
  model: string
  /** Further models that agents may name; null: any */
  models: string[] | null
  hasKey: boolean
  /** The last characters of the key; only of your own accounts */
  keyHint: string | null
  /** own: yours. shared: an administrator's, for the platform. environment: set there. embedded: inside the platform, the last link of every chain */
  source: 'own' | 'shared' | 'environment' | 'embedded'
  /** The owner's agents that name no account use this one. Always false for kind tts: an agent names its voice */
  isDefault: boolean
  /** For the whole platform; only an administrator may set it */
  isShared: boolean
  /** The account of its kind that your agents use now if they name none */
  isInUse: boolean
  /** What the account costs, entered by hand: Ramal reads no price lists */
  prices: {
    currency: string
    /** Language models and embeddings */
    inputPerMillionTokens?: number | null
    /** Language models */
    outputPerMillionTokens?: number | null
    /** Speech recognition */
    perMinute?: number | null
    /** Speech synthesis */
    perMillionCharacters?: number | null
  } | null
  /** As calls of this process have seen it */
  health: ProviderHealth
  createdAt: string | null
  updatedAt: string | null
}

export type ProviderHealth = {
  /** unused: no call since the start. down: calls skip it until a trial succeeds */
  state: 'unused' | 'ok' | 'failing' | 'down'
  reason: 'unreachable' | 'timeout' | 'key_refused' | 'limited' | 'invalid_answer' | 'broken_off' | null
  since: string | null
  /** Median of recent times to the first token, word or sound in calls */
  firstMs: number | null
}

export type ProviderModel = {
  id: string
  title: string | null
}

export type ProviderTest = {
  isOk: boolean
  /** What the account is for: language model, speech recognition, speech synthesis or embeddings */
  kind: 'llm' | 'stt' | 'tts' | 'embeddings'
  model: string
  /** Kind llm: from the request to the first word */
  firstTokenMs: number | null
  /** From the request to the first token, word, sound or vector, measured on this machine */
  firstMs: number | null
  /** Kind stt: what was recognised of a spoken sample */
  heard: string | null
  problem:
    | 'key_refused'
    | 'model_unknown'
    | 'voice_unknown'
    | 'nothing_heard'
    | 'misheard'
    | 'no_sound'
    | 'limited'
    | 'address_refused'
    | 'unreachable'
    | 'timeout'
    | 'failed'
    | null
  /** What is wrong, in one sentence */
  message: string | null
  /** The vendor's own words, without the key */
  vendorMessage: string | null
}

export type ProviderVendor = {
  /** What the account is for: language model, speech recognition, speech synthesis or embeddings */
  kind: 'llm' | 'stt' | 'tts' | 'embeddings'
  vendor: string
  title: string
  /** Used if the account names none; null: it must name one */
  baseUrl: string | null
  needsKey: boolean
  /** Default; null: the account must name one; empty: the vendor has no models */
  model: string | null
}

export type ProviderVoice = {
  id: string
  name: string
  /** BCP 47; mul: several */
  language: string
  gender: 'female' | 'male' | null
  description: string | null
}

export type ProvisionedDevice = {
  deviceUuid: string
  deviceId: string
  alreadyExisted: boolean
}

export type Rehearsal = {
  id: string
  name: string
  agentId: string
  mode: 'text' | 'audio'
  replayOf: string | null
  status: 'running' | 'passed' | 'failed' | 'error'
  checksPassed: number
  checksFailed: number
  /** Duration of the call in simulated time */
  durationMs: number | null
  startedAt: string
  endedAt: string | null
  /** Why the rehearsal could not be completed */
  error: string | null
  llm: {
    name: string
    isModel: boolean
  } | null
  checks: {
    text: string
    passed: boolean
    detail: string
  }[]
  transcript: {
    who: 'caller' | 'agent'
    text: string
    fromMs: number
    toMs: number
    isCut: boolean
  }[]
  toolCalls: {
    name: string
    args: unknown
    atMs: number
    result: string
    failed: boolean
    /** false: not in `tools`, so it got a neutral result */
    isScripted: boolean
  }[]
  turns: {
    number: number
    /** Transcript of the caller */
    caller: string | null
    /** The part of the reply that was played */
    agent: string | null
    /** The caller interrupted the reply */
    isCut: boolean
    /** Start of the caller's speech, in ms from the start of the recording */
    callerFromMs: number | null
    /** End of the caller's speech, in ms from the start of the recording */
    callerToMs: number | null
    /** Start of the agent's speech, in ms from the start of the recording */
    agentFromMs: number | null
    /** End of the agent's speech, in ms from the start of the recording */
    agentToMs: number | null
    latency: {
      /** Until the VAD detected the end of speech */
      vadMs: number | null
      /** Until the transcript was final */
      recognitionMs: number | null
      /** Remaining endpointing delay */
      endOfTurnMs: number | null
      /** Until the model's first token */
      modelMs: number | null
      /** Waiting for tools, not included in modelMs */
      toolMs: number | null
      /** Until the first synthesised audio */
      synthesisMs: number | null
      /** Until the audio was sent */
      pacingMs: number | null
      /** From the end of the caller's speech to the start of the agent's */
      totalMs: number | null
    }
    /** The providers that served this turn; null where none did */
    providers?: {
      /** Recognised the caller */
      stt: {
        /** Account, `environment…` or `embedded` */
        id: string
        name: string
        model: string | null
      } | null
      /** Wrote the reply */
      llm: {
        /** Account, `environment…` or `embedded` */
        id: string
        name: string
        model: string | null
      } | null
      /** Spoke the reply */
      tts: {
        /** Account, `environment…` or `embedded` */
        id: string
        name: string
        model: string | null
      } | null
    }
    atMs: number
  }[]
  endReason: string | null
  stepsPlayed: number
  comparison:
    | {
        /** Turn number of the replayed call, or of the first run */
        turn: number
        caller: string | null
        before: string | null
        after: string | null
        beforeMs: number | null
        afterMs: number | null
        isSame: boolean
        /** 1: same words; 0: none in common */
        similarity: number
      }[]
    | null
  /** Changes of providers, where an outage was rehearsed */
  chainEvents?: {
    atMs: number
    type: 'degraded' | 'recovered'
    kind: 'llm' | 'stt' | 'tts'
    /** Who serves from then on */
    provider: string
    reason: 'unreachable' | 'timeout' | 'key_refused' | 'limited' | 'invalid_answer' | 'broken_off' | null
  }[]
}

export type RehearsalComparison = {
  comparison: {
    /** Turn number of the replayed call, or of the first run */
    turn: number
    caller: string | null
    before: string | null
    after: string | null
    beforeMs: number | null
    afterMs: number | null
    isSame: boolean
    /** 1: same words; 0: none in common */
    similarity: number
  }[]
}

export type RehearsalRunScript = {
  scriptId: string | null
  /** Steps, tool results and expectations, as for POST /api/rehearsals */
  script: {
    /** Overrides of the stored agent for this rehearsal; not saved */
    agent?: {
      name?: string
      /** The agent's instructions */
      systemPrompt?: string
      /** A voice of the ttsProvider */
      voiceId?: string | null
      language?: string
      ttsProvider?: 'provider_a' | 'provider_b' | 'provider_c'
      /** First sentence when the call is answered; may hold {{name}} variables */
      initialSpeech?: string | null
      /** Language-model configuration, stored as sent */
      llmConfig?:
        | ({
            model?: string
            temperature?: number
          } & Record<string, unknown>)
        | null
      /** Voice configuration of provider_a: model_id, voice_settings */
      provider_aConfig?: Record<string, unknown> | null
      /** Turn-taking, speech, recording, analysis and limits */
      settings?: {
        /** Who speaks first: the agent with initialSpeech, the agent with a generated sentence, or the caller */
        firstMessage?: 'agent_first' | 'agent_first_generated' | 'caller_first' | null
        /** The caller can interrupt the agent */
        interruptible?: boolean | null
        /** Turn-taking */
        turn?: {
          /** Shortest pause that can end a turn */
          minPauseMs?: number | null
          /** Pause that always ends a turn */
          maxPauseMs?: number | null
          /** Start generating the reply before the end of the turn is certain (preemptive generation) */
          speculate?: boolean | null
          /** Speech of this length interrupts the agent (barge-in) */
          interruptAfterMs?: number | null
          /** Words the caller must say before the agent is interrupted */
          interruptAfterWords?: number | null
          /** Silence after which the agent asks whether the caller is still there */
          idleReminderMs?: number | null
          /** Silence after which the call ends */
          silenceHangupMs?: number | null
          /** Longest duration of a call */
          maxDurationMs?: number | null
        } | null
        /** Speech recognition */
        recognition?: {
          /** Kept as it was stored, and not used: see providerId */
          provider?: string | null
          /** Provider account; default: the owner's, else the platform's */
          providerId?: string | null
          /** Model of the account */
          model?: string | null
          /** Accounts that recognise speech when it fails, in order; the embedded engines always come last */
          fallbacks?:
            | {
                providerId: string
                /** Default: the account's own */
                model?: string | null
              }[]
            | null
          /** Names and terms to expect */
          hints?: string[] | null
        } | null
        /** How to pronounce names and abbreviations */
        pronunciation?:
          | {
              /** As written */
              from: string
              /** As spoken */
              to: string
            }[]
          | null
        /** Speech synthesis */
        voice?: {
          /** 1 is normal speed */
          speed?: number | null
          /** Provider account that has voiceId; default: ttsProvider */
          providerId?: string | null
          /** Accounts that speak when it fails, in order; the embedded engines always come last */
          fallbacks?:
            | {
                providerId: string
                /** Default: the account's own */
                voiceId?: string | null
              }[]
            | null
        } | null
        /** Language model */
        llm?: {
          /** Provider account; default: the owner's. llmConfig.model names its model */
          providerId?: string | null
          /** Accounts that reply when it fails, in order; the embedded engines always come last */
          fallbacks?:
            | {
                providerId: string
                /** Default: the account's own */
                model?: string | null
              }[]
            | null
        } | null
        recording?: {
          /** Record the calls of this agent */
          enabled?: boolean | null
          /** Spoken before the recording starts */
          consentNotice?: string | null
        } | null
        /** What to do when voicemail answers an outbound call */
        voicemail?: {
          action?: 'hangup' | 'message' | 'ignore' | null
          /** Left after the beep */
          message?: string | null
        } | null
        /** Post-call analysis */
        analysis?: {
          /** Write a summary; default true */
          summary?: boolean | null
          /** The goal that the analysis checks */
          success?: string | null
          /** JSON Schema of the values to extract */
          fields?: Record<string, unknown> | null
        } | null
        /** Phrases of the caller that end the call */
        endPhrases?: string[] | null
        /** Tool-call limits per conversation or call within 24 hours */
        tools?: {
          /** Tool calls; default 50 */
          maxCalls?: number | null
          /** Tool calls with side effects; default 20 */
          maxEffects?: number | null
        } | null
        /** The built-in function collect: takes down numbers, names, dates and e-mail addresses in calls */
        collect?: {
          /** Offer the function to the model; default true */
          enabled?: boolean | null
          /** What may be collected; default all kinds */
          kinds?: ('cpf' | 'cnpj' | 'cep' | 'phone' | 'email' | 'date' | 'money' | 'name' | 'plate' | 'number')[] | null
        } | null
        /** Default values for {{name}} in the prompt and the opening phrase */
        variables?: Record<string, string> | null
      } | null
    } | null
    mode?: 'text' | 'audio' | null
    /** In audio mode: real synthesises the speech of the agent */
    agentVoice?: 'scripted' | 'real' | null
    direction?: 'inbound' | 'outbound' | null
    variables?: Record<string, string> | null
    steps?:
      | {
          says?: string | null
          /** Duration of the utterance; estimated from its length if omitted */
          ms?: number | null
          /** Base64-encoded WAV file played instead (audio mode) */
          audio?: string | null
          /** Silence, in ms */
          waits?: number | null
          /** DTMF digits */
          presses?: string | null
          /** Noise without speech, in ms */
          noise?: number | null
          hangsUp?: boolean | null
          /** From now on the agent’s external providers of this kind refuse connections; none: they work again. afterMs 0: at once */
          outage?: 'llm' | 'stt' | 'tts' | 'all' | 'none' | null
          /** Start this long after the previous step, whatever the agent does */
          afterMs?: number | null
          /** Interrupt this long after the agent starts to speak */
          interruptsAfterMs?: number | null
        }[]
      | null
    /** Result of each tool by name; others get a neutral result. No tool is run */
    tools?: Record<
      string,
      {
        /** The tool result: text or any JSON */
        result?: unknown
        error?: string | null
        delayMs?: number | null
        endsCall?: string | null
      }
    > | null
    expect?:
      | {
          said?: {
            contains?: string | null
            /** A regular expression (RE2) */
            matches?: string | null
            not?: string | null
            turn?: number | null
          } | null
          heard?: {
            contains?: string | null
            /** A regular expression (RE2) */
            matches?: string | null
            not?: string | null
            turn?: number | null
          } | null
          toolRan?: string | null
          args?: Record<string, unknown> | null
          times?: number | null
          toolNotRan?: string | null
          turnUnderMs?: number | null
          turn?: number | null
          interrupted?: number | null
          endReason?: string | null
          /** This chain of providers used another than its first; none: no chain did */
          degraded?: 'llm' | 'stt' | 'tts' | 'none' | null
        }[]
      | null
    /** Simulated durations of the stages, instead of the measured ones */
    timing?: {
      recognitionMs?: number | null
      modelMs?: number | null
      synthesisMs?: number | null
    } | null
    /** Background noise level (audio mode) */
    noiseDb?: number | null
  } | null
}

export type RehearsalScript = {
  id: string
  name: string
  agentId: string
  /** The call whose caller it repeats; deleted together with that call */
  callId: string | null
  createdAt: string
  updatedAt: string
  /** Steps, tool results and expectations, as for POST /api/rehearsals */
  script: {
    /** Overrides of the stored agent for this rehearsal; not saved */
    agent?: {
      name?: string
      /** The agent's instructions */
      systemPrompt?: string
      /** A voice of the ttsProvider */
      voiceId?: string | null
      language?: string
      ttsProvider?: 'provider_a' | 'provider_b' | 'provider_c'
      /** First sentence when the call is answered; may hold {{name}} variables */
      initialSpeech?: string | null
      /** Language-model configuration, stored as sent */
      llmConfig?:
        | ({
            model?: string
            temperature?: number
          } & Record<string, unknown>)
        | null
      /** Voice configuration of provider_a: model_id, voice_settings */
      provider_aConfig?: Record<string, unknown> | null
      /** Turn-taking, speech, recording, analysis and limits */
      settings?: {
        /** Who speaks first: the agent with initialSpeech, the agent with a generated sentence, or the caller */
        firstMessage?: 'agent_first' | 'agent_first_generated' | 'caller_first' | null
        /** The caller can interrupt the agent */
        interruptible?: boolean | null
        /** Turn-taking */
        turn?: {
          /** Shortest pause that can end a turn */
          minPauseMs?: number | null
          /** Pause that always ends a turn */
          maxPauseMs?: number | null
          /** Start generating the reply before the end of the turn is certain (preemptive generation) */
          speculate?: boolean | null
          /** Speech of this length interrupts the agent (barge-in) */
          interruptAfterMs?: number | null
          /** Words the caller must say before the agent is interrupted */
          interruptAfterWords?: number | null
          /** Silence after which the agent asks whether the caller is still there */
          idleReminderMs?: number | null
          /** Silence after which the call ends */
          silenceHangupMs?: number | null
          /** Longest duration of a call */
          maxDurationMs?: number | null
        } | null
        /** Speech recognition */
        recognition?: {
          /** Kept as it was stored, and not used: see providerId */
          provider?: string | null
          /** Provider account; default: the owner's, else the platform's */
          providerId?: string | null
          /** Model of the account */
          model?: string | null
          /** Accounts that recognise speech when it fails, in order; the embedded engines always come last */
          fallbacks?:
            | {
                providerId: string
                /** Default: the account's own */
                model?: string | null
              }[]
            | null
          /** Names and terms to expect */
          hints?: string[] | null
        } | null
        /** How to pronounce names and abbreviations */
        pronunciation?:
          | {
              /** As written */
              from: string
              /** As spoken */
              to: string
            }[]
          | null
        /** Speech synthesis */
        voice?: {
          /** 1 is normal speed */
          speed?: number | null
          /** Provider account that has voiceId; default: ttsProvider */
          providerId?: string | null
          /** Accounts that speak when it fails, in order; the embedded engines always come last */
          fallbacks?:
            | {
                providerId: string
                /** Default: the account's own */
                voiceId?: string | null
              }[]
            | null
        } | null
        /** Language model */
        llm?: {
          /** Provider account; default: the owner's. llmConfig.model names its model */
          providerId?: string | null
          /** Accounts that reply when it fails, in order; the embedded engines always come last */
          fallbacks?:
            | {
                providerId: string
                /** Default: the account's own */
                model?: string | null
              }[]
            | null
        } | null
        recording?: {
          /** Record the calls of this agent */
          enabled?: boolean | null
          /** Spoken before the recording starts */
          consentNotice?: string | null
        } | null
        /** What to do when voicemail answers an outbound call */
        voicemail?: {
          action?: 'hangup' | 'message' | 'ignore' | null
          /** Left after the beep */
          message?: string | null
        } | null
        /** Post-call analysis */
        analysis?: {
          /** Write a summary; default true */
          summary?: boolean | null
          /** The goal that the analysis checks */
          success?: string | null
          /** JSON Schema of the values to extract */
          fields?: Record<string, unknown> | null
        } | null
        /** Phrases of the caller that end the call */
        endPhrases?: string[] | null
        /** Tool-call limits per conversation or call within 24 hours */
        tools?: {
          /** Tool calls; default 50 */
          maxCalls?: number | null
          /** Tool calls with side effects; default 20 */
          maxEffects?: number | null
        } | null
        /** The built-in function collect: takes down numbers, names, dates and e-mail addresses in calls */
        collect?: {
          /** Offer the function to the model; default true */
          enabled?: boolean | null
          /** What may be collected; default all kinds */
          kinds?: ('cpf' | 'cnpj' | 'cep' | 'phone' | 'email' | 'date' | 'money' | 'name' | 'plate' | 'number')[] | null
        } | null
        /** Default values for {{name}} in the prompt and the opening phrase */
        variables?: Record<string, string> | null
      } | null
    } | null
    mode?: 'text' | 'audio' | null
    /** In audio mode: real synthesises the speech of the agent */
    agentVoice?: 'scripted' | 'real' | null
    direction?: 'inbound' | 'outbound' | null
    variables?: Record<string, string> | null
    steps?:
      | {
          says?: string | null
          /** Duration of the utterance; estimated from its length if omitted */
          ms?: number | null
          /** Base64-encoded WAV file played instead (audio mode) */
          audio?: string | null
          /** Silence, in ms */
          waits?: number | null
          /** DTMF digits */
          presses?: string | null
          /** Noise without speech, in ms */
          noise?: number | null
          hangsUp?: boolean | null
          /** From now on the agent’s external providers of this kind refuse connections; none: they work again. afterMs 0: at once */
          outage?: 'llm' | 'stt' | 'tts' | 'all' | 'none' | null
          /** Start this long after the previous step, whatever the agent does */
          afterMs?: number | null
          /** Interrupt this long after the agent starts to speak */
          interruptsAfterMs?: number | null
        }[]
      | null
    /** Result of each tool by name; others get a neutral result. No tool is run */
    tools?: Record<
      string,
      {
        /** The tool result: text or any JSON */
        result?: unknown
        error?: string | null
        delayMs?: number | null
        endsCall?: string | null
      }
    > | null
    expect?:
      | {
          said?: {
            contains?: string | null
            /** A regular expression (RE2) */
            matches?: string | null
            not?: string | null
            turn?: number | null
          } | null
          heard?: {
            contains?: string | null
            /** A regular expression (RE2) */
            matches?: string | null
            not?: string | null
            turn?: number | null
          } | null
          toolRan?: string | null
          args?: Record<string, unknown> | null
          times?: number | null
          toolNotRan?: string | null
          turnUnderMs?: number | null
          turn?: number | null
          interrupted?: number | null
          endReason?: string | null
          /** This chain of providers used another than its first; none: no chain did */
          degraded?: 'llm' | 'stt' | 'tts' | 'none' | null
        }[]
      | null
    /** Simulated durations of the stages, instead of the measured ones */
    timing?: {
      recognitionMs?: number | null
      modelMs?: number | null
      synthesisMs?: number | null
    } | null
    /** Background noise level (audio mode) */
    noiseDb?: number | null
  }
}

export type RemovedProvider = {
  /** environment…: set in the environment, read-only. embedded: the engines inside the platform */
  id: string
  /** What the account is for: language model, speech recognition, speech synthesis or embeddings */
  kind: 'llm' | 'stt' | 'tts' | 'embeddings'
  vendor: string
  name: string
  /** null: a platform's account, seen by a member */
  baseUrl: string | null
  /** Empty: the vendor has no models */
  model: string
  /** Further models that agents may name; null: any */
  models: string[] | null
  hasKey: boolean
  /** The last characters of the key; only of your own accounts */
  keyHint: string | null
  /** own: yours. shared: an administrator's, for the platform. environment: set there. embedded: inside the platform, the last link of every chain */
  source: 'own' | 'shared' | 'environment' | 'embedded'
  /** The owner's agents that name no account use this one. Always false for kind tts: an agent names its voice */
  isDefault: boolean
  /** For the whole platform; only an administrator may set it */
  isShared: boolean
  /** The account of its kind that your agents use now if they name none */
  isInUse: boolean
  /** What the account costs, entered by hand: Ramal reads no price lists */
  prices: {
    currency: string
    /** Language models and embeddings */
    inputPerMillionTokens?: number | null
    /** Language models */
    outputPerMillionTokens?: number | null
    /** Speech recognition */
    perMinute?: number | null
    /** Speech synthesis */
    perMillionCharacters?: number | null
  } | null
  /** As calls of this process have seen it */
  health: ProviderHealth
  createdAt: string | null
  updatedAt: string | null
  /** The account of its kind that your agents use from now on; null: the rule agent or the embedded engine */
  next: {
    id: string
    name: string
    model: string
  } | null
  /** Your agents that named it: they use the next link of their chain from their next call on */
  agents: number
}

export type RuleAnswer = {
  result: 'now' | 'later' | 'never'
  at: string | null
  reason: string | null
  /** Rules, regions, time zones and window */
  decision: Record<string, unknown>
}

export type SaidWords = {
  callId: string
  /** queued: waiting for the current speaker */
  status: 'said' | 'queued'
}

export type SavedAnswerHook = {
  id: string
  /** url: your server is asked; spreadsheet: the row with the number of the caller answers */
  kind: 'url' | 'spreadsheet'
  url: string | null
  spreadsheet: {
    spreadsheetId: string
    column: string
    agentColumn: string | null
    languageColumn: string | null
    refuseColumn: string | null
    transferColumn: string | null
    contextColumn: string | null
  } | null
  /** How long the caller hears ringing at most; after that the call is answered without the hook */
  timeoutMs: number
  isActive: boolean
  createdAt: string
  updatedAt: string
  /** Signing secret (whsec_…); returned only when it is new */
  secret: string | null
}

export type SavedCampaign = {
  id: string
  name: string
  agentId: string | null
  status: 'draft' | 'scheduled' | 'running' | 'paused' | 'completed' | 'canceled'
  /** Why it is paused or was canceled */
  statusReason:
    | 'user'
    | 'failure_burst'
    | 'short_calls'
    | 'low_answer_rate'
    | 'monthly_limit'
    | 'daily_budget'
    | 'rules_unreadable'
    | 'no_route'
    | 'cannot_start'
    | 'agent_removed'
    | 'trunk_removed'
    | 'device_removed'
    | null
  statusDetail: string | null
  /** Calls leave by this trunk */
  trunkId: string | null
  /** Calls leave by this device */
  deviceId: string | null
  /** Shown to the person called; null: of the trunk or device */
  callerId: string | null
  /** ISO 3166-1: the country of numbers that are written without one */
  defaultCountry: string
  schedule: {
    /** Not before this; null: when it is started */
    startAt?: string | null
    /** No attempt after this; null: until every contact is done */
    endAt?: string | null
    /** Times in the time zone of the person who is called. The calling rules narrow them further; null: only the rules */
    windows?:
      | {
          /** Days of the week, 1 is Monday */
          days: number[]
          from: string
          /** Exclusive; 24:00 is midnight */
          to: string
        }[]
      | null
  }
  pacing: {
    /** Calls of this campaign at the same time, on all nodes together */
    maxConcurrentCalls: number
    /** Attempts each second, on all nodes together */
    callsPerSecond: number
  }
  retries: {
    /** Attempts for each contact in total */
    maxAttempts: number
    /** No rule: no retry */
    rules: {
      outcome: 'no_answer' | 'busy' | 'voicemail' | 'unreachable' | 'failed' | 'rejected'
      /** Further attempts after this outcome */
      times: number
      /** At the earliest */
      afterMinutes: number
    }[]
    /** Prefer another part of the day (morning, afternoon, evening) than the last attempt */
    otherTimeOfDay: boolean
  }
  /** A built-in rule pack (br-strict, international) or one of yours */
  rulesId: string
  disclosure: {
    /** The agent says first that a machine is calling */
    isOn: boolean
    /** Its words; null: a sentence in the language of the agent */
    text?: string | null
  }
  predial: {
    /** Asked before each attempt; only {"eligible": true} within 3 s lets it leave */
    url: string
  } | null
  /** Columns of the imported lists; each is a variable */
  columns: string[]
  phoneColumn: string | null
  contacts: {
    total: number
    waiting: number
    calling: number
    in_doubt: number
    completed: number
    exhausted: number
    suppressed: number
    canceled: number
  }
  createdAt: string
  updatedAt: string
  startedAt: string | null
  endedAt: string | null
  /** Signs the requests to the pre-dial webhook; returned only when it is new */
  predialSecret: string | null
}

export type SearchResult = {
  by: 'words' | 'words_and_meaning'
  /** Why semantic search was not used although configured */
  note: string | null
  passages: {
    /** From 0 to 1 */
    score: number
    documentId: string
    documentName: string
    number: number
    heading: string
    content: string
  }[]
}

export type SentMessage = {
  id: string
  type: 'user' | 'agent' | 'system'
  /** Only of words that an operator had the agent say in a live call */
  author?: 'operator'
  content: string
  timestamp: string
  reply?: Message
  /** The model that wrote the reply */
  repliedBy?: {
    name: string
    /** false: the built-in rule agent */
    isModel: boolean
  }
}

export type ServiceNode = {
  /** `nodeId` of its calls */
  name: string
  /** Draining: it finishes its calls and takes no new ones. Down: its lease has expired */
  state: 'up' | 'draining' | 'down'
  calls: number
  /** Null: its phone is off */
  maxCalls: number | null
  /** Of its whole machine */
  cpuPercent: number
  version: string
  startedAt: string
}

export type Setting = {
  name: string
  /** Effective value; always null for a secret */
  value: string | null
  isSecret: boolean
  /** Set explicitly; otherwise the default applies */
  isSet: boolean
  description: string
}

export type SettingGroup = {
  name: string
  settings: Setting[]
}

export type Settings = {
  version: string
  groups: SettingGroup[]
  voice: VoiceState
  model: ModelState
  phone: {
    isOn: boolean
    host: string
    port: number
    tlsPort: number | null
    rtpPorts: string
    publicAddress: string | null
  }
  server: {
    database: 'sqlite' | 'postgres'
    hasRedis: boolean
    /** The server terminates HTTPS itself */
    isTls: boolean
    /** Forwarded headers of a proxy are trusted */
    trustsProxy: boolean
    publicUrl: string | null
  }
}

export type SetupStep = {
  step: 'agent' | 'voice' | 'model' | 'phone' | 'number' | 'call'
  isDone: boolean
  /** State of the step */
  state: 'missing' | 'done' | 'natural' | 'preparing' | 'small' | 'vendor' | 'rules' | 'off' | 'waiting'
  /** Progress of a preparation */
  percent: number | null
  /** The state as a sentence */
  detail: string
}

export type SheetRow = {
  id: string
  /** Increases from row to row; kept when other rows are deleted */
  number: number
  /** Cells by column name. Dates are text: 2026-03-01 or 2026-03-01T14:30:00 */
  values: Record<string, string | number | boolean | null>
  createdAt: string
  updatedAt: string
}

export type SipCredentials = {
  username: string
  password: string
  domain: string
  realm: string
  host: string
  port: number
  transport: 'udp' | 'tcp' | 'tls'
  transports: {
    protocol: 'udp' | 'tcp' | 'tls'
    host: string
    port: number
  }[]
  wsUri: string | null
  proxy: string | null
  /** Registration lifetime in seconds */
  expires: number
  uri: string
  codecs: string[]
  iceServers: {
    urls: string
  }[]
}

export type SipEntry = {
  at: string
  direction: 'in' | 'out'
  transport: 'udp' | 'tcp' | 'tls'
  /** Remote address and port */
  remote: string
  summary: string
  /** The raw message, with secrets masked */
  message: string
}

export type SipLadder = {
  callId: string
  entries: SipEntry[]
  /** The same messages as a text diagram */
  ladder: string
}

export type Spreadsheet = {
  id: string
  name: string
  columns: string[]
  rowCount: number
  createdAt: string
  updatedAt: string
}

export type StartedCall = {
  success: boolean
  callId: string
  status: string
}

export type Suppression = {
  id: string
  /** null: your own list */
  listId: string | null
  /** null: only its keyed hash is kept */
  phoneNumber: string | null
  reason: 'opt_out' | 'wrong_person' | 'manual' | 'imported'
  note: string | null
  campaignId: string | null
  /** The call in which it was asked for */
  callId: string | null
  createdAt: string
}

export type SuppressionImport = {
  list: SuppressionList
  rows: number
  added: number
  duplicates: number
  /** Rows without a valid number */
  rejected: number
  /** Of the rejected rows: those with an empty cell */
  withoutNumber: number
}

export type SuppressionList = {
  id: string
  name: string
  /** Free text: what kind of calls it forbids; null: all */
  sector: string | null
  /** It holds from this moment */
  effectiveAt: string
  /** Grows with each import; stands in every decision */
  version: number
  entryCount: number
  importedAt: string | null
  createdAt: string
  updatedAt: string
}

export type SuppressionResult = {
  phoneNumber: string
  isSuppressed: boolean
  suppressions: Suppression[]
}

export type TestedHook = {
  /** applied: the answer was followed; empty: it asked for nothing; timeout: none in time; late: it came during the conversation; failed: no answer; invalid: not usable; skipped: not asked, because it failed before */
  status: 'applied' | 'empty' | 'timeout' | 'late' | 'failed' | 'invalid' | 'skipped'
  /** url: your server is asked; spreadsheet: the row with the number of the caller answers */
  kind: 'url' | 'spreadsheet'
  /** Until the answer, or until it was no longer waited for */
  ms: number
  /** Until the late answer */
  lateMs: number | null
  /** What was wrong, in a sentence */
  detail: string | null
  /** The agent that the answer chose */
  agentId: string | null
  language: string | null
  /** SIP code of the refusal */
  refuse: 403 | 404 | 410 | 480 | 484 | 486 | 600 | 603 | 604 | 607 | 608 | null
  transferTo: string | null
  /** HTTP status of the answer */
  statusCode: number | null
  variables: Record<string, unknown>
  context: string | null
  /** Fields of the answer that mean nothing here */
  ignored: string[]
  /** The sample that was sent */
  request: Record<string, unknown>
}

export type TestedTool = {
  /** The Idempotency-Key sent along; null if no request was sent */
  id: string | null
  /** Function name as offered to the model */
  function: string
  status: 'done' | 'failed' | 'in_doubt' | 'refused'
  /** The result as returned to the model */
  result: string | null
  error: string | null
  durationMs: number
  /** The last HTTP request sent, with secrets masked */
  request: {
    method: string
    url: string
    headers: Record<string, string>
    body: string | null
  } | null
}

export type TestedWebhook = {
  isDelivered: boolean
  eventId: string
  /** HTTP status of the response; null: no response */
  statusCode: number | null
  error: string | null
  /** Start of the response body */
  response: string | null
  durationMs: number | null
}

export type Tool = {
  id: string
  name: string
  /** Tells the model when to use the tool */
  description: string | null
  type:
    | 'custom'
    | 'api_request'
    | 'dtmf'
    | 'end_call'
    | 'transfer_call'
    | 'send_text'
    | 'query'
    | 'calendar'
    | 'spreadsheet'
    | 'chat_workspace'
    | 'mcp'
  method: string | null
  /** {param} is replaced by a collected parameter */
  requestUrl: string | null
  isActive: boolean
  createdAt: string
  parameters: Record<string, unknown> | null
  headers: Record<string, unknown> | null
  authorization: Record<string, unknown> | null
  body: Record<string, unknown> | null
  messages: Record<string, unknown> | null
  config: Record<string, unknown> | null
  updatedAt: string
}

export type ToolCall = {
  /** Also sent as Idempotency-Key */
  id: string
  /** null: the model requested a tool that does not exist */
  toolId: string | null
  /** Function name as the model sees it */
  name: string
  /** Arguments filled in by the model */
  arguments: unknown
  /** in_doubt: sent, outcome unknown; refused: not sent */
  status: 'running' | 'done' | 'failed' | 'in_doubt' | 'refused'
  result: string | null
  error: string | null
  durationMs: number | null
  startedAt: string
  endedAt: string | null
}

export type ToolTestRun = {
  id: string
  function: string
  status: 'running' | 'done' | 'failed' | 'in_doubt'
  error: string | null
  startedAt: string
  durationMs: number | null
}

export type TransferOutcome = {
  callId: string
  status: 'done' | 'connected' | 'no_answer' | 'busy' | 'voicemail' | 'failed' | 'canceled'
  detail: string | null
}

export type Trunk = {
  id: string
  name: string
  /** Host name or IP address of the carrier */
  host: string | null
  hasPassword: boolean
  directions: ('inbound' | 'outbound')[]
  provider: string | null
  /** null: from DNS, or 5060 (5061 for TLS) */
  port: number | null
  transport: 'udp' | 'tcp' | 'tls'
  /** ip: by source address; digest: by user name and password; register: digest with registration */
  authMode: 'ip' | 'digest' | 'register'
  username: string | null
  /** Digest realm; null: any */
  realm: string | null
  /** User part of the From header; null: the caller id */
  fromUser: string | null
  /** Host part of the From header; null: our address */
  fromDomain: string | null
  outboundProxy: string | null
  /** Seconds */
  registerExpires: number
  allowedAddresses: string[]
  allowedNumbers: string[]
  numbers: string[]
  /** Number shown on outbound calls */
  callerId: string | null
  codecs: ('PCMA' | 'PCMU' | 'G722' | 'opus')[]
  mediaEncryption: 'disabled' | 'allowed' | 'required'
  dtmfMode: 'auto' | 'rfc4733' | 'info' | 'inband'
  numberFormat: {
    leadingPlus?: boolean | null
    /** Added before the number */
    prefix?: string | null
    /** Removed from the number */
    stripPrefix?: string | null
  }
  sessionTimers: boolean
  optionsPing: boolean
  /** Lower is tried first */
  priority: number
  /** Share of the calls among trunks of one priority */
  weight: number
  maxConcurrentCalls: number | null
  /** SIP headers added to outbound INVITEs */
  headers: Record<string, string>
  /** Headers of inbound INVITEs that become variables of the call: X-Customer-Id is {{sip_x_customer_id}} */
  headerVariables: string[]
  /** Headers that an outbound call may be given */
  outboundHeaders: string[]
  status:
    | 'unconfigured'
    | 'unknown'
    | 'registering'
    | 'registered'
    | 'reachable'
    | 'unreachable'
    | 'auth_failed'
    | 'disabled'
  statusDetail: string | null
  lastSeenAt: string | null
  isActive: boolean
  createdAt: string
  updatedAt: string
}

export type TrunkAgent = {
  id: string
  name: string
  trunkTypes: ('inbound' | 'outbound')[]
  /** Numbers of its links */
  phoneNumbers: string[]
}

export type TrunkLink = {
  id: string
  agentId: string
  trunkId: string
  trunkType: 'inbound' | 'outbound'
  /** Numbers of this link, the latest last */
  phoneNumbers: string[]
  createdAt: string
}

export type TrunkReport = {
  trunkId: string
  ok: boolean
  /** Such as wrong_password or one_way_audio; null if no fault was found */
  cause: string | null
  /** The fault and its fix */
  sentence: string
  checks: {
    name: string
    status: 'ok' | 'warning' | 'failed' | 'skipped'
    detail: string
  }[]
  entries: SipEntry[]
  /** The SIP messages as a text diagram */
  ladder: string
}

export type TtsToken = {
  token: string
  expiresAt: string
  url: string
}

export type Turn = {
  number: number
  at: string
  /** Transcript of the caller */
  caller: string | null
  /** The part of the reply that was played */
  agent: string | null
  /** The caller interrupted the reply */
  isCut: boolean
  /** Start of the caller's speech, in ms from the start of the recording */
  callerFromMs: number | null
  /** End of the caller's speech, in ms from the start of the recording */
  callerToMs: number | null
  /** Start of the agent's speech, in ms from the start of the recording */
  agentFromMs: number | null
  /** End of the agent's speech, in ms from the start of the recording */
  agentToMs: number | null
  latency: {
    /** Until the VAD detected the end of speech */
    vadMs: number | null
    /** Until the transcript was final */
    recognitionMs: number | null
    /** Remaining endpointing delay */
    endOfTurnMs: number | null
    /** Until the model's first token */
    modelMs: number | null
    /** Waiting for tools, not included in modelMs */
    toolMs: number | null
    /** Until the first synthesised audio */
    synthesisMs: number | null
    /** Until the audio was sent */
    pacingMs: number | null
    /** From the end of the caller's speech to the start of the agent's */
    totalMs: number | null
  }
  /** The providers that served this turn; null where none did */
  providers?: {
    /** Recognised the caller */
    stt: {
      /** Account, `environment…` or `embedded` */
      id: string
      name: string
      model: string | null
    } | null
    /** Wrote the reply */
    llm: {
      /** Account, `environment…` or `embedded` */
      id: string
      name: string
      model: string | null
    } | null
    /** Spoke the reply */
    tts: {
      /** Account, `environment…` or `embedded` */
      id: string
      name: string
      model: string | null
    } | null
  }
}

export type User = {
  id: string
  name: string
  email: string | null
  role: 'admin' | 'member'
  /** false: disabled; signs in nowhere, and takes and places no calls */
  isActive: boolean
  /** false: signs in only with an API key */
  hasPassword: boolean
  hasSecondFactor: boolean
  /** On the page, since this is recorded */
  lastSignInAt: string | null
  createdAt: string
}

export type UsingTool = {
  id: string
  name: string
  isActive: boolean
  agents: Named[]
}

export type Voice = {
  id: string
  name: string
  language: string
  gender: string | null
  previewUrl: string | null
} & Record<string, unknown>

export type VoiceState = {
  /** EMBEDDED_VOICE */
  wanted: 'natural' | 'small' | 'off'
  /** The voice agents use now */
  speaking: 'natural' | 'small' | 'vendor' | 'none'
  /** Progress of preparing the natural voice */
  preparingPercent: number | null
  /** Why the natural voice is not available */
  trouble: string | null
  providers: {
    provider_a: string
    provider_b: string
    provider_c: string
  }
  /** Speech recognition engine */
  recognition: string
  hasTurnModel: boolean
}

export type WebCall = {
  /** Single-use token for one call with this agent */
  token: string
  expiresAt: string
  agentId: string
  socketPath: string
  webrtcPath: string
  iceServers: {
    urls: string[]
    username?: string
    credential?: string
  }[]
}

export type Webhook = {
  id: string
  url: string
  /** Event types; * selects all */
  events: (
    | '*'
    | 'call.initiated'
    | 'call.ringing'
    | 'call.answered'
    | 'call.ended'
    | 'call.failed'
    | 'call.analyzed'
    | 'call.recording_ready'
    | 'call.recording_failed'
    | 'call.transfer_started'
    | 'call.transfer_completed'
    | 'call.transfer_failed'
    | 'call.voicemail'
    | 'call.dtmf'
    | 'call.hook'
    | 'call.degraded'
    | 'call.recovered'
    | 'conversation.started'
    | 'conversation.message'
    | 'conversation.ended'
    | 'conversation.hook'
    | 'tool.called'
    | 'tool.completed'
    | 'tool.failed'
    | 'device.status_changed'
    | 'device.text_received'
    | 'trunk.status_changed'
    | 'user.invited'
    | 'user.invitation_revoked'
    | 'user.joined'
    | 'user.role_changed'
    | 'user.disabled'
    | 'user.enabled'
    | 'user.password_link_created'
    | 'user.password_reset'
    | 'user.second_factor_removed'
    | 'callback.requested'
    | 'callback.updated'
    | 'widget.limit_reached'
    | 'campaign.created'
    | 'campaign.updated'
    | 'campaign.scheduled'
    | 'campaign.started'
    | 'campaign.paused'
    | 'campaign.resumed'
    | 'campaign.completed'
    | 'campaign.canceled'
    | 'campaign.warning'
    | 'campaign.import.completed'
    | 'campaign.contact.completed'
    | 'campaign.attempt.in_doubt'
    | 'suppression.created'
    | 'suppression.removed'
    | 'audit.chained'
  )[]
  /** Only events of these agents */
  agentIds: string[] | null
  /** Device that owns this webhook through its webhookUrl */
  deviceId: string | null
  description: string | null
  isActive: boolean
  createdAt: string
  updatedAt: string
}

export type WebhookDelivery = {
  id: string
  webhookId: string
  /** Sent in the webhook-id header */
  eventId: string
  eventType: string
  /** pending: not sent yet; failed: will be retried; dead: given up */
  status: 'pending' | 'delivering' | 'delivered' | 'failed' | 'dead'
  attempts: number
  nextAttemptAt: string | null
  /** HTTP status of the response; null: no response */
  statusCode: number | null
  error: string | null
  /** Start of the response body */
  response: string | null
  durationMs: number | null
  createdAt: string
  lastAttemptAt: string | null
  deliveredAt: string | null
}

export type Widget = {
  /** Publishable: it is part of the site’s page */
  id: string
  agentId: string
  name: string
  /** Sites that may use the widget: exact https origins; http for localhost only. Empty: none */
  origins: string[]
  /** What visitors are offered */
  channels: ('call' | 'chat')[]
  appearance: {
    /** Colour of the button and of the visitor’s messages */
    color: string
    /** auto: as the visitor’s system */
    theme: 'auto' | 'light' | 'dark'
    /** Corner at the bottom of the page */
    position: 'right' | 'left'
    /** auto: as the page, or the browser */
    language: 'auto' | 'pt' | 'en' | 'es'
    /** null: a text in the language */
    title: string | null
    /** First line of the panel */
    greeting: string | null
    /** On the button; null: a sign alone */
    buttonText: string | null
    /** On the button and above the panel: the https address of an image, or the image as a data URL */
    logo: string | null
  }
  limits: {
    /** Calls and chats that one visitor address may start each minute */
    sessionsPerMinute: number
    /** Calls in progress, and chats with a visitor’s message of the last five minutes, together; one address has 40 % at most */
    maxConcurrent: number
    /** Calls each day (UTC); one address has a fourth at most */
    callsPerDay: number
    /** Chat messages of visitors each day (UTC); one address has a fourth at most */
    messagesPerDay: number
    /** A call ends after this; the agent’s own limit applies too */
    maxCallSeconds: number
  }
  isActive: boolean
  createdAt: string
  updatedAt: string
}

export type WidgetUsage = {
  /** In UTC */
  day: string
  calls: {
    used: number
    limit: number
  }
  messages: {
    used: number
    limit: number
  }
  concurrent: {
    used: number
    limit: number
  }
}

export interface paths {
  '/api/agents': {
    /** List agents */
    get: {
      parameters: {
        query?: {
          /** Page size; without it the whole list is returned */
          limit?: number
          /** From the Link header of the previous page */
          cursor?: string
          /** Words of the name or the description */
          q?: string
          direction?: 'inbound' | 'outbound' | 'both'
          language?: string
          isActive?: boolean
          /** Order of the list; a minus means descending. Default: newest first */
          sort?: 'name' | '-name' | 'language' | '-language' | 'updatedAt' | '-updatedAt' | 'createdAt' | '-createdAt'
        }
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Agent[]
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
    /** Create an agent */
    post: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            name: string
            /** The agent's instructions */
            systemPrompt: string
            description?: string | null
            /** A voice of the ttsProvider */
            voiceId?: string | null
            language?: string | null
            direction?: 'inbound' | 'outbound' | 'both' | null
            ttsProvider?: 'provider_a' | 'provider_b' | 'provider_c' | null
            /** First sentence when the call is answered; may hold {{name}} variables */
            initialSpeech?: string | null
            /** Language-model configuration, stored as sent */
            llmConfig?:
              | ({
                  model?: string
                  temperature?: number
                } & Record<string, unknown>)
              | null
            /** Voice configuration of provider_a: model_id, voice_settings */
            provider_aConfig?: Record<string, unknown> | null
            /** Turn-taking, speech, recording, analysis and limits */
            settings?: {
              /** Who speaks first: the agent with initialSpeech, the agent with a generated sentence, or the caller */
              firstMessage?: 'agent_first' | 'agent_first_generated' | 'caller_first' | null
              /** The caller can interrupt the agent */
              interruptible?: boolean | null
              /** Turn-taking */
              turn?: {
                /** Shortest pause that can end a turn */
                minPauseMs?: number | null
                /** Pause that always ends a turn */
                maxPauseMs?: number | null
                /** Start generating the reply before the end of the turn is certain (preemptive generation) */
                speculate?: boolean | null
                /** Speech of this length interrupts the agent (barge-in) */
                interruptAfterMs?: number | null
                /** Words the caller must say before the agent is interrupted */
                interruptAfterWords?: number | null
                /** Silence after which the agent asks whether the caller is still there */
                idleReminderMs?: number | null
                /** Silence after which the call ends */
                silenceHangupMs?: number | null
                /** Longest duration of a call */
                maxDurationMs?: number | null
              } | null
              /** Speech recognition */
              recognition?: {
                /** Kept as it was stored, and not used: see providerId */
                provider?: string | null
                /** Provider account; default: the owner's, else the platform's */
                providerId?: string | null
                /** Model of the account */
                model?: string | null
                /** Accounts that recognise speech when it fails, in order; the embedded engines always come last */
                fallbacks?:
                  | {
                      providerId: string
                      /** Default: the account's own */
                      model?: string | null
                    }[]
                  | null
                /** Names and terms to expect */
                hints?: string[] | null
              } | null
              /** How to pronounce names and abbreviations */
              pronunciation?:
                | {
                    /** As written */
                    from: string
                    /** As spoken */
                    to: string
                  }[]
                | null
              /** Speech synthesis */
              voice?: {
                /** 1 is normal speed */
                speed?: number | null
                /** Provider account that has voiceId; default: ttsProvider */
                providerId?: string | null
                /** Accounts that speak when it fails, in order; the embedded engines always come last */
                fallbacks?:
                  | {
                      providerId: string
                      /** Default: the account's own */
                      voiceId?: string | null
                    }[]
                  | null
              } | null
              /** Language model */
              llm?: {
                /** Provider account; default: the owner's. llmConfig.model names its model */
                providerId?: string | null
                /** Accounts that reply when it fails, in order; the embedded engines always come last */
                fallbacks?:
                  | {
                      providerId: string
                      /** Default: the account's own */
                      model?: string | null
                    }[]
                  | null
              } | null
              recording?: {
                /** Record the calls of this agent */
                enabled?: boolean | null
                /** Spoken before the recording starts */
                consentNotice?: string | null
              } | null
              /** What to do when voicemail answers an outbound call */
              voicemail?: {
                action?: 'hangup' | 'message' | 'ignore' | null
                /** Left after the beep */
                message?: string | null
              } | null
              /** Post-call analysis */
              analysis?: {
                /** Write a summary; default true */
                summary?: boolean | null
                /** The goal that the analysis checks */
                success?: string | null
                /** JSON Schema of the values to extract */
                fields?: Record<string, unknown> | null
              } | null
              /** Phrases of the caller that end the call */
              endPhrases?: string[] | null
              /** Tool-call limits per conversation or call within 24 hours */
              tools?: {
                /** Tool calls; default 50 */
                maxCalls?: number | null
                /** Tool calls with side effects; default 20 */
                maxEffects?: number | null
              } | null
              /** The built-in function collect: takes down numbers, names, dates and e-mail addresses in calls */
              collect?: {
                /** Offer the function to the model; default true */
                enabled?: boolean | null
                /** What may be collected; default all kinds */
                kinds?:
                  | ('cpf' | 'cnpj' | 'cep' | 'phone' | 'email' | 'date' | 'money' | 'name' | 'plate' | 'number')[]
                  | null
              } | null
              /** Default values for {{name}} in the prompt and the opening phrase */
              variables?: Record<string, string> | null
            } | null
          }
        }
      }
      responses: {
        201: {
          content: {
            'application/json': Agent
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/agents/toggle/{id}': {
    /** Toggle an agent on or off */
    patch: {
      parameters: {
        query?: never
        header?: {
          /** ETags of the versions that may be changed; 412 when the record has another one */
          'If-Match'?: string
        }
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Agent
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/agents/{id}': {
    /** Get an agent */
    get: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Agent
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
    /** Delete an agent with its conversations, messages and recordings */
    delete: {
      parameters: {
        query?: never
        header?: {
          /** ETags of the versions that may be changed; 412 when the record has another one */
          'If-Match'?: string
        }
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Agent
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
    /** Update an agent */
    patch: {
      parameters: {
        query?: never
        header?: {
          /** ETags of the versions that may be changed; 412 when the record has another one */
          'If-Match'?: string
        }
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            name?: string
            /** The agent's instructions */
            systemPrompt?: string
            description?: string | null
            /** A voice of the ttsProvider */
            voiceId?: string | null
            isActive?: boolean
            language?: string
            direction?: 'inbound' | 'outbound' | 'both'
            ttsProvider?: 'provider_a' | 'provider_b' | 'provider_c'
            /** First sentence when the call is answered; may hold {{name}} variables */
            initialSpeech?: string | null
            /** Language-model configuration, stored as sent */
            llmConfig?:
              | ({
                  model?: string
                  temperature?: number
                } & Record<string, unknown>)
              | null
            /** Voice configuration of provider_a: model_id, voice_settings */
            provider_aConfig?: Record<string, unknown> | null
            /** Turn-taking, speech, recording, analysis and limits */
            settings?: {
              /** Who speaks first: the agent with initialSpeech, the agent with a generated sentence, or the caller */
              firstMessage?: 'agent_first' | 'agent_first_generated' | 'caller_first' | null
              /** The caller can interrupt the agent */
              interruptible?: boolean | null
              /** Turn-taking */
              turn?: {
                /** Shortest pause that can end a turn */
                minPauseMs?: number | null
                /** Pause that always ends a turn */
                maxPauseMs?: number | null
                /** Start generating the reply before the end of the turn is certain (preemptive generation) */
                speculate?: boolean | null
                /** Speech of this length interrupts the agent (barge-in) */
                interruptAfterMs?: number | null
                /** Words the caller must say before the agent is interrupted */
                interruptAfterWords?: number | null
                /** Silence after which the agent asks whether the caller is still there */
                idleReminderMs?: number | null
                /** Silence after which the call ends */
                silenceHangupMs?: number | null
                /** Longest duration of a call */
                maxDurationMs?: number | null
              } | null
              /** Speech recognition */
              recognition?: {
                /** Kept as it was stored, and not used: see providerId */
                provider?: string | null
                /** Provider account; default: the owner's, else the platform's */
                providerId?: string | null
                /** Model of the account */
                model?: string | null
                /** Accounts that recognise speech when it fails, in order; the embedded engines always come last */
                fallbacks?:
                  | {
                      providerId: string
                      /** Default: the account's own */
                      model?: string | null
                    }[]
                  | null
                /** Names and terms to expect */
                hints?: string[] | null
              } | null
              /** How to pronounce names and abbreviations */
              pronunciation?:
                | {
                    /** As written */
                    from: string
                    /** As spoken */
                    to: string
                  }[]
                | null
              /** Speech synthesis */
              voice?: {
                /** 1 is normal speed */
                speed?: number | null
                /** Provider account that has voiceId; default: ttsProvider */
                providerId?: string | null
                /** Accounts that speak when it fails, in order; the embedded engines always come last */
                fallbacks?:
                  | {
                      providerId: string
                      /** Default: the account's own */
                      voiceId?: string | null
                    }[]
                  | null
              } | null
              /** Language model */
              llm?: {
                /** Provider account; default: the owner's. llmConfig.model names its model */
                providerId?: string | null
                /** Accounts that reply when it fails, in order; the embedded engines always come last */
                fallbacks?:
                  | {
                      providerId: string
                      /** Default: the account's own */
                      model?: string | null
                    }[]
                  | null
              } | null
              recording?: {
                /** Record the calls of this agent */
                enabled?: boolean | null
                /** Spoken before the recording starts */
                consentNotice?: string | null
              } | null
              /** What to do when voicemail answers an outbound call */
              voicemail?: {
                action?: 'hangup' | 'message' | 'ignore' | null
                /** Left after the beep */
                message?: string | null
              } | null
              /** Post-call analysis */
              analysis?: {
                /** Write a summary; default true */
                summary?: boolean | null
                /** The goal that the analysis checks */
                success?: string | null
                /** JSON Schema of the values to extract */
                fields?: Record<string, unknown> | null
              } | null
              /** Phrases of the caller that end the call */
              endPhrases?: string[] | null
              /** Tool-call limits per conversation or call within 24 hours */
              tools?: {
                /** Tool calls; default 50 */
                maxCalls?: number | null
                /** Tool calls with side effects; default 20 */
                maxEffects?: number | null
              } | null
              /** The built-in function collect: takes down numbers, names, dates and e-mail addresses in calls */
              collect?: {
                /** Offer the function to the model; default true */
                enabled?: boolean | null
                /** What may be collected; default all kinds */
                kinds?:
                  | ('cpf' | 'cnpj' | 'cep' | 'phone' | 'email' | 'date' | 'money' | 'name' | 'plate' | 'number')[]
                  | null
              } | null
              /** Default values for {{name}} in the prompt and the opening phrase */
              variables?: Record<string, string> | null
            } | null
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Agent
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/agents/{id}/answer-hook': {
    /** Get the answer hook of an agent's web calls and texts */
    get: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': AnswerHook
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
    /** Create or replace the answer hook of an agent's web calls and texts; a new secret is returned only once */
    put: {
      parameters: {
        query?: never
        header?: {
          /** ETags of the versions that may be changed; 412 when the record has another one */
          'If-Match'?: string
        }
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            /** url: your server is asked; spreadsheet: the row with the number of the caller answers */
            kind: 'url' | 'spreadsheet'
            /** Receives the signed request, http or https, without user name */
            url?: string | null
            spreadsheet?: {
              spreadsheetId: string
              /** Holds the numbers of the callers, in any notation */
              column: string
              /** Holds the id of the agent that answers */
              agentColumn?: string | null
              /** Holds a language such as es-MX */
              languageColumn?: string | null
              /** Refuses the call with this SIP code; yes, sim, sí and x mean 603 */
              refuseColumn?: string | null
              /** Holds the number that the call is sent to */
              transferColumn?: string | null
              /** Holds a text for the prompt */
              contextColumn?: string | null
            } | null
            /** How long the caller hears ringing at most; after that the call is answered without the hook */
            timeoutMs?: number | null
            isActive?: boolean | null
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': SavedAnswerHook
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
    /** Delete the answer hook of an agent's web calls and texts */
    delete: {
      parameters: {
        query?: never
        header?: {
          /** ETags of the versions that may be changed; 412 when the record has another one */
          'If-Match'?: string
        }
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': AnswerHook
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/agents/{id}/answer-hook/rotate-secret': {
    /** Rotate the secret of the answer hook of an agent's web calls and texts; the old one keeps signing for a day */
    post: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': SavedAnswerHook
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/agents/{id}/answer-hook/test': {
    /** Ask the answer hook of an agent's web calls and texts about a sample call and return its answer */
    post: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            /** The number of the caller in the sample; null: an example */
            caller?: string | null
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': TestedHook
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/agents/{id}/chain': {
    /** List the providers that serve an agent, in order, with their health and warnings */
    get: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': AgentChain
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/agents/{id}/contents': {
    /** Count the calls, recordings and conversations that are deleted with an agent */
    get: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': AgentContents
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/agents/{id}/duplicate': {
    /** Copy an agent with its tools and outbound trunks; numbers stay with the original */
    post: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            name?: string | null
          }
        }
      }
      responses: {
        201: {
          content: {
            'application/json': Agent
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/agents/{id}/link-trunk': {
    /** Link a trunk to an agent; a phoneNumber becomes one of the agent's DIDs */
    post: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            trunkId: string
            trunkType: 'inbound' | 'outbound'
            /** Full number in E.164 format */
            phoneNumber?: string | null
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': LinkedTrunk
          }
        }
        201: {
          content: {
            'application/json': LinkedTrunk
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/agents/{id}/link-trunk/{trunkId}': {
    /** Unlink a trunk from an agent */
    delete: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
          trunkId: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': LinkedTrunk
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/agents/{id}/linked-trunks': {
    /** List the trunks linked to an agent */
    get: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': LinkedTrunk[]
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/agents/{id}/tools': {
    /** List the tools of an agent */
    get: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': ListedTool[]
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/api-keys': {
    /** List keys */
    get: {
      parameters: {
        query?: {
          /** Page size; without it the whole list is returned */
          limit?: number
          /** From the Link header of the previous page */
          cursor?: string
        }
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': ApiKey[]
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
    /** Create a key for the same organization */
    post: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            name: string
            /** null: full access */
            scopes?: ('agents' | 'dids' | 'conversations' | 'calls' | 'tools' | 'tts' | 'gateway')[] | null
            rateLimit?: number | null
            /** Omitted: never expires */
            expiresInDays?: number | null
          }
        }
      }
      responses: {
        201: {
          content: {
            'application/json': CreatedApiKey
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/api-keys/makers': {
    /** List who made the active keys */
    get: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': KeyMaker[]
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/api-keys/{id}': {
    /** Revoke a key permanently */
    delete: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': ApiKey
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/api-keys/{id}/adopt': {
    /** Adopt a key: it has your rights from now on, and works although its maker was removed (owners) */
    post: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': ApiKey
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/audit': {
    /** List the audit log */
    get: {
      parameters: {
        query?: {
          /** Page size; without it the whole list is returned */
          limit?: number
          /** From the Link header of the previous page */
          cursor?: string
          personId?: string
          kind?:
            | 'agent'
            | 'tool'
            | 'toolLink'
            | 'knowledgeBase'
            | 'document'
            | 'spreadsheet'
            | 'number'
            | 'trunk'
            | 'trunkLink'
            | 'device'
            | 'gatewayAccount'
            | 'provider'
            | 'widget'
            | 'webhook'
            | 'answerHook'
            | 'key'
            | 'campaign'
            | 'contact'
            | 'callingRules'
            | 'suppression'
            | 'suppressionList'
            | 'callback'
            | 'call'
            | 'conversation'
            | 'organization'
            | 'member'
            | 'invitation'
            | 'user'
            | 'session'
            | 'settings'
            | 'audit'
          recordId?: string
          action?: string
          /** At or after this time */
          from?: string
          /** Before this time */
          to?: string
        }
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': AuditEntry[]
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/audit/export': {
    /** Export the audit log */
    get: {
      parameters: {
        query?: {
          personId?: string
          kind?:
            | 'agent'
            | 'tool'
            | 'toolLink'
            | 'knowledgeBase'
            | 'document'
            | 'spreadsheet'
            | 'number'
            | 'trunk'
            | 'trunkLink'
            | 'device'
            | 'gatewayAccount'
            | 'provider'
            | 'widget'
            | 'webhook'
            | 'answerHook'
            | 'key'
            | 'campaign'
            | 'contact'
            | 'callingRules'
            | 'suppression'
            | 'suppressionList'
            | 'callback'
            | 'call'
            | 'conversation'
            | 'organization'
            | 'member'
            | 'invitation'
            | 'user'
            | 'session'
            | 'settings'
            | 'audit'
          recordId?: string
          action?: string
          /** At or after this time */
          from?: string
          /** Before this time */
          to?: string
          /** Default: csv */
          format?: 'csv' | 'ndjson'
        }
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'text/csv': string
            'application/x-ndjson': string
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/callbacks': {
    /** List call-back requests */
    get: {
      parameters: {
        query?: {
          /** Page size; without it the whole list is returned */
          limit?: number
          /** From the Link header of the previous page */
          cursor?: string
          /** Words of the name, the matter or the note, or a part of the number */
          q?: string
          status?: 'open' | 'done' | 'canceled'
          /** Order of the list; a minus means descending. Default: newest first */
          sort?: 'createdAt' | '-createdAt' | 'updatedAt' | '-updatedAt'
        }
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Callback[]
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/callbacks/{id}': {
    /** Get a call-back request */
    get: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Callback
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
    /** Delete a call-back request */
    delete: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Callback
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
    /** Close or reopen a call-back request, or write a note */
    patch: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            status?: 'open' | 'done' | 'canceled'
            note?: string | null
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Callback
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/calling-rules': {
    /** List rule packs, those of the product first */
    get: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': CallingRules[]
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
    /** Copy or create a rule pack */
    post: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            name: string
            /** The pack to start from */
            copyOf?: string | null
            /** A whole pack, instead of copyOf */
            pack?: Record<string, unknown> | null
          }
        }
      }
      responses: {
        201: {
          content: {
            'application/json': CallingRules
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/calling-rules/{id}': {
    /** Get a rule pack */
    get: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': CallingRules
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
    /** Delete a rule pack of yours */
    delete: {
      parameters: {
        query?: never
        header?: {
          /** ETags of the versions that may be changed; 412 when the record has another one */
          'If-Match'?: string
        }
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': CallingRules
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
    /** Update a rule pack of yours */
    patch: {
      parameters: {
        query?: never
        header?: {
          /** ETags of the versions that may be changed; 412 when the record has another one */
          'If-Match'?: string
        }
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            name?: string
            /** The whole pack */
            pack?: Record<string, unknown> | null
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': CallingRules
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/calling-rules/{id}/ask': {
    /** May this number be called, and when */
    post: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            phoneNumber: string
            /** null: now */
            at?: string | null
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': RuleAnswer
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/calls': {
    /** List calls */
    get: {
      parameters: {
        query?: {
          /** Page size; without it the whole list is returned */
          limit?: number
          /** From the Link header of the previous page */
          cursor?: string
          agentId?: string
          /** The call whose transcript is this conversation */
          conversationId?: string
          status?:
            | 'initiating'
            | 'ringing'
            | 'in_progress'
            | 'transferring'
            | 'completed'
            | 'failed'
            | 'busy'
            | 'no_answer'
            | 'canceled'
          direction?: 'inbound' | 'outbound'
          channel?: 'sip' | 'web' | 'whatsapp'
          /** true: calls in progress, both directions; false: ended calls */
          live?: boolean
          /** Started at or after this time */
          from?: string
          /** Started before this time */
          to?: string
          /** true: test calls only; false: without test calls */
          isTest?: boolean
          /** Part of a number or of the transcript */
          q?: string
          /** Adds summary, success and medianResponseMs to each; needs the scope conversations */
          include?: 'details'
          /** Order of the list; a minus means descending. Default: newest first */
          sort?: 'startedAt' | '-startedAt' | 'durationSeconds' | '-durationSeconds'
        }
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': ListedCall[]
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/calls/count': {
    /** Count calls */
    get: {
      parameters: {
        query?: {
          agentId?: string
          /** The call whose transcript is this conversation */
          conversationId?: string
          status?:
            | 'initiating'
            | 'ringing'
            | 'in_progress'
            | 'transferring'
            | 'completed'
            | 'failed'
            | 'busy'
            | 'no_answer'
            | 'canceled'
          direction?: 'inbound' | 'outbound'
          channel?: 'sip' | 'web' | 'whatsapp'
          /** true: calls in progress, both directions; false: ended calls */
          live?: boolean
          /** Started at or after this time */
          from?: string
          /** Started before this time */
          to?: string
          /** true: test calls only; false: without test calls */
          isTest?: boolean
        }
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': CallCount
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/calls/outbound': {
    /** Place an outbound call */
    post: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            /** Full number in E.164 format */
            toNumber: string
            agentId: string
            /** Values for {{name}} in the prompt and the opening phrase, and for {name} in tools */
            variables?: Record<string, string> | null
            /** Your own data, returned with the call */
            metadata?: Record<string, unknown> | null
            /** Tokens of the devices to call from, tried in order */
            fromDeviceTokens?: string[] | null
            /** SIP headers of the INVITE; only names of the outboundHeaders of the agent's trunks */
            headers?: Record<string, string> | null
          }
        }
      }
      responses: {
        201: {
          content: {
            'application/json': StartedCall
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/calls/outbound/active': {
    /** List the outbound calls in progress */
    get: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': ActiveCall[]
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/calls/{id}': {
    /** Get a call */
    get: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Call
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
    /** Delete a call with its recording and transcript */
    delete: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Call
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/calls/{id}/answer-hook': {
    /** Get what the answer hook decided about a call */
    get: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': CallHook
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/calls/{id}/hangup': {
    /** Hang up a call */
    post: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Call
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/calls/{id}/say': {
    /** Have the agent of a live call say a text */
    post: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            /** Spoken in the agent's voice */
            text: string
            /** true: speak at once, interrupting anyone; false: wait for the end of the agent's speech or the caller's turn */
            interrupt?: boolean | null
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': SaidWords
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/calls/{id}/sip': {
    /** Get the SIP messages of a call */
    get: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': SipLadder
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/calls/{id}/tool-calls': {
    /** List the tool calls of a call, oldest first */
    get: {
      parameters: {
        query?: {
          /** Page size; without it the whole list is returned */
          limit?: number
          /** From the Link header of the previous page */
          cursor?: string
        }
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': ToolCall[]
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/calls/{id}/transfer': {
    /** Transfer a live call to a number, a SIP URI or another agent */
    post: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            /** A phone number or SIP URI */
            to?: string | null
            /** Instead of `to`: the agent that takes over */
            agentId?: string | null
            method?: 'refer' | 'bridge' | null
            /** Spoken to the person who answers before the calls are joined; for an agent, a note */
            whisper?: string | null
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': TransferOutcome
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/calls/{id}/turns': {
    /** List the turns of a call with their latency */
    get: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Turn[]
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/campaigns': {
    /** List campaigns */
    get: {
      parameters: {
        query?: {
          /** Page size; without it the whole list is returned */
          limit?: number
          /** From the Link header of the previous page */
          cursor?: string
          /** Words of the name */
          q?: string
          status?: 'draft' | 'scheduled' | 'running' | 'paused' | 'completed' | 'canceled'
          agentId?: string
          /** Order of the list; a minus means descending. Default: newest first */
          sort?: 'name' | '-name' | 'createdAt' | '-createdAt' | 'updatedAt' | '-updatedAt'
        }
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Campaign[]
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
    /** Create a campaign */
    post: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            name: string
            agentId: string
            /** Calls leave by this trunk */
            trunkId?: string | null
            /** Calls leave by this device */
            deviceId?: string | null
            /** Shown to the person called; null: of the trunk or device */
            callerId?: string | null
            /** ISO 3166-1: the country of numbers that are written without one */
            defaultCountry?: string | null
            schedule?: {
              /** Not before this; null: when it is started */
              startAt?: string | null
              /** No attempt after this; null: until every contact is done */
              endAt?: string | null
              /** Times in the time zone of the person who is called. The calling rules narrow them further; null: only the rules */
              windows?:
                | {
                    /** Days of the week, 1 is Monday */
                    days: number[]
                    from: string
                    /** Exclusive; 24:00 is midnight */
                    to: string
                  }[]
                | null
            } | null
            pacing?: {
              /** Calls of this campaign at the same time, on all nodes together */
              maxConcurrentCalls: number
              /** Attempts each second, on all nodes together */
              callsPerSecond: number
            } | null
            retries?: {
              /** Attempts for each contact in total */
              maxAttempts: number
              /** No rule: no retry */
              rules: {
                outcome: 'no_answer' | 'busy' | 'voicemail' | 'unreachable' | 'failed' | 'rejected'
                /** Further attempts after this outcome */
                times: number
                /** At the earliest */
                afterMinutes: number
              }[]
              /** Prefer another part of the day (morning, afternoon, evening) than the last attempt */
              otherTimeOfDay: boolean
            } | null
            /** A built-in rule pack (br-strict, international) or one of yours */
            rulesId?: string | null
            disclosure?: {
              /** The agent says first that a machine is calling */
              isOn: boolean
              /** Its words; null: a sentence in the language of the agent */
              text?: string | null
            } | null
            predial?: {
              /** Asked before each attempt; only {"eligible": true} within 3 s lets it leave */
              url: string
            } | null
          }
        }
      }
      responses: {
        201: {
          content: {
            'application/json': SavedCampaign
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/campaigns/{id}': {
    /** Get a campaign */
    get: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Campaign
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
    /** Delete a campaign that does not run, with its contacts */
    delete: {
      parameters: {
        query?: never
        header?: {
          /** ETags of the versions that may be changed; 412 when the record has another one */
          'If-Match'?: string
        }
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Campaign
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
    /** Update a campaign */
    patch: {
      parameters: {
        query?: never
        header?: {
          /** ETags of the versions that may be changed; 412 when the record has another one */
          'If-Match'?: string
        }
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            name?: string
            agentId?: string
            /** Calls leave by this trunk */
            trunkId?: string | null
            /** Calls leave by this device */
            deviceId?: string | null
            /** Shown to the person called; null: of the trunk or device */
            callerId?: string | null
            /** ISO 3166-1: the country of numbers that are written without one */
            defaultCountry?: string | null
            schedule?: {
              /** Not before this; null: when it is started */
              startAt?: string | null
              /** No attempt after this; null: until every contact is done */
              endAt?: string | null
              /** Times in the time zone of the person who is called. The calling rules narrow them further; null: only the rules */
              windows?:
                | {
                    /** Days of the week, 1 is Monday */
                    days: number[]
                    from: string
                    /** Exclusive; 24:00 is midnight */
                    to: string
                  }[]
                | null
            } | null
            pacing?: {
              /** Calls of this campaign at the same time, on all nodes together */
              maxConcurrentCalls: number
              /** Attempts each second, on all nodes together */
              callsPerSecond: number
            } | null
            retries?: {
              /** Attempts for each contact in total */
              maxAttempts: number
              /** No rule: no retry */
              rules: {
                outcome: 'no_answer' | 'busy' | 'voicemail' | 'unreachable' | 'failed' | 'rejected'
                /** Further attempts after this outcome */
                times: number
                /** At the earliest */
                afterMinutes: number
              }[]
              /** Prefer another part of the day (morning, afternoon, evening) than the last attempt */
              otherTimeOfDay: boolean
            } | null
            /** A built-in rule pack (br-strict, international) or one of yours */
            rulesId?: string | null
            disclosure?: {
              /** The agent says first that a machine is calling */
              isOn: boolean
              /** Its words; null: a sentence in the language of the agent */
              text?: string | null
            } | null
            predial?: {
              /** Asked before each attempt; only {"eligible": true} within 3 s lets it leave */
              url: string
            } | null
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': SavedCampaign
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/campaigns/{id}/attempts': {
    /** List attempts, newest first */
    get: {
      parameters: {
        query?: {
          /** Page size; without it the whole list is returned */
          limit?: number
          /** From the Link header of the previous page */
          cursor?: string
          contactId?: string
          status?: 'claimed' | 'dialing' | 'ended' | 'in_doubt' | 'withdrawn'
          outcome?:
            | 'answered'
            | 'voicemail'
            | 'no_answer'
            | 'busy'
            | 'rejected'
            | 'unreachable'
            | 'invalid_number'
            | 'failed'
            | 'not_sent'
            | 'suppressed'
            | 'ineligible'
        }
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': CampaignAttempt[]
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/campaigns/{id}/cancel': {
    /** Cancel a campaign: calls in progress go on, nothing else is dialled */
    post: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Campaign
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/campaigns/{id}/contacts': {
    /** List contacts, newest first */
    get: {
      parameters: {
        query?: {
          /** Page size; without it the whole list is returned */
          limit?: number
          /** From the Link header of the previous page */
          cursor?: string
          /** A part of the number, or words of the variables */
          q?: string
          status?: 'waiting' | 'calling' | 'in_doubt' | 'completed' | 'exhausted' | 'suppressed' | 'canceled'
          outcome?:
            | 'answered'
            | 'voicemail'
            | 'no_answer'
            | 'busy'
            | 'rejected'
            | 'unreachable'
            | 'invalid_number'
            | 'failed'
            | 'not_sent'
            | 'suppressed'
            | 'ineligible'
        }
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': CampaignContact[]
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
    /** Import contacts: a CSV or XLSX file, rows, or one of your spreadsheets */
    post: {
      parameters: {
        query?: {
          /** The column with the number; null: found by its name and contents */
          phoneColumn?: string
        }
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            /** The column with the number; null: found by its name and contents */
            phoneColumn?: string | null
            /** One object for each contact; its fields are the columns. Send more in a file */
            rows?: Record<string, string | number | boolean | null>[] | null
            /** One of your spreadsheets, instead of rows */
            spreadsheetId?: string | null
          }
          'text/csv': Blob
          'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': Blob
        }
      }
      responses: {
        202: {
          content: {
            'application/json': CampaignImport
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/campaigns/{id}/contacts/{contactId}': {
    /** Get a contact */
    get: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
          contactId: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': CampaignContact
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/campaigns/{id}/contacts/{contactId}/resolve': {
    /** Say what became of an attempt in doubt */
    post: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
          contactId: string
        }
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            /** completed: the person was reached; retry: call again, by the rules; give_up: no further attempt */
            resolution: 'completed' | 'retry' | 'give_up'
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': CampaignContact
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/campaigns/{id}/imports': {
    /** List imports, newest first */
    get: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': CampaignImport[]
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/campaigns/{id}/imports/{importId}': {
    /** Get an import: its progress */
    get: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
          importId: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': CampaignImport
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/campaigns/{id}/imports/{importId}/rows': {
    /** What became of each row of an import, in order */
    get: {
      parameters: {
        query?: {
          /** Page size; without it the whole list is returned */
          limit?: number
          /** From the Link header of the previous page */
          cursor?: string
          result?: 'accepted' | 'merged' | 'rejected' | 'suppressed'
        }
        header?: never
        path: {
          id: string
          importId: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': CampaignImportedRow[]
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/campaigns/{id}/pause': {
    /** Pause a campaign: calls in progress go on */
    post: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Campaign
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/campaigns/{id}/preview': {
    /** Dry run: who would be called when, and who would not */
    post: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            /** Sample size */
            contacts?: number | null
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': CampaignPreview
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/campaigns/{id}/progress': {
    /** Outcomes so far */
    get: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': CampaignProgress
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/campaigns/{id}/results': {
    /** Download the results beside each imported row */
    get: {
      parameters: {
        query?: {
          /** Default: csv */
          format?: 'csv' | 'xlsx'
        }
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'text/csv': Blob
            'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': Blob
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/campaigns/{id}/resume': {
    /** Resume a paused campaign */
    post: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Campaign
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/campaigns/{id}/start': {
    /** Start a campaign, or schedule it */
    post: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Campaign
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/conversations': {
    /** List conversations */
    get: {
      parameters: {
        query?: {
          /** Page size; without it the whole list is returned */
          limit?: number
          /** From the Link header of the previous page */
          cursor?: string
          /** Words of the title, or part of a number or of the transcript */
          q?: string
          agentId?: string
          status?: 'active' | 'ended' | 'failed'
          /** The channel of its call; text: a chat without a call */
          channel?: 'sip' | 'web' | 'whatsapp' | 'text'
          /** Started at or after this time */
          from?: string
          /** Started before this time */
          to?: string
          /** Adds the call of each; needs the scope calls */
          include?: 'call'
          /** Order of the list; a minus means descending. Default: newest first */
          sort?: 'startedAt' | '-startedAt'
        }
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': ListedConversation[]
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/conversations/end': {
    /** End an active conversation */
    post: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            conversationId: string
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Conversation
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/conversations/forget': {
    /** Delete all finished calls, conversations and text messages of a number */
    post: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            /** As written: +5511999990000, or with spaces, brackets and dashes */
            number: string
            /** Count only, delete nothing */
            dryRun?: boolean | null
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Forgotten
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/conversations/message/send/{conversationId}': {
    /** Send a message to an active conversation; with reply=true the agent answers */
    post: {
      parameters: {
        query?: {
          /** The agent answers. With `Accept: text/event-stream` the reply is streamed */
          reply?: boolean
        }
        header?: never
        path: {
          conversationId: string
        }
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            type: 'user' | 'agent' | 'system'
            content: string
            /** Unsaved changes, as in PATCH /api/agents/:id, for this test alone: nothing is stored with the agent. Needs the scope agents */
            draft?: {
              name?: string
              /** The agent's instructions */
              systemPrompt?: string
              description?: string | null
              /** A voice of the ttsProvider */
              voiceId?: string | null
              isActive?: boolean
              language?: string
              direction?: 'inbound' | 'outbound' | 'both'
              ttsProvider?: 'provider_a' | 'provider_b' | 'provider_c'
              /** First sentence when the call is answered; may hold {{name}} variables */
              initialSpeech?: string | null
              /** Language-model configuration, stored as sent */
              llmConfig?:
                | ({
                    model?: string
                    temperature?: number
                  } & Record<string, unknown>)
                | null
              /** Voice configuration of provider_a: model_id, voice_settings */
              provider_aConfig?: Record<string, unknown> | null
              /** Turn-taking, speech, recording, analysis and limits */
              settings?: {
                /** Who speaks first: the agent with initialSpeech, the agent with a generated sentence, or the caller */
                firstMessage?: 'agent_first' | 'agent_first_generated' | 'caller_first' | null
                /** The caller can interrupt the agent */
                interruptible?: boolean | null
                /** Turn-taking */
                turn?: {
                  /** Shortest pause that can end a turn */
                  minPauseMs?: number | null
                  /** Pause that always ends a turn */
                  maxPauseMs?: number | null
                  /** Start generating the reply before the end of the turn is certain (preemptive generation) */
                  speculate?: boolean | null
                  /** Speech of this length interrupts the agent (barge-in) */
                  interruptAfterMs?: number | null
                  /** Words the caller must say before the agent is interrupted */
                  interruptAfterWords?: number | null
                  /** Silence after which the agent asks whether the caller is still there */
                  idleReminderMs?: number | null
                  /** Silence after which the call ends */
                  silenceHangupMs?: number | null
                  /** Longest duration of a call */
                  maxDurationMs?: number | null
                } | null
                /** Speech recognition */
                recognition?: {
                  /** Kept as it was stored, and not used: see providerId */
                  provider?: string | null
                  /** Provider account; default: the owner's, else the platform's */
                  providerId?: string | null
                  /** Model of the account */
                  model?: string | null
                  /** Accounts that recognise speech when it fails, in order; the embedded engines always come last */
                  fallbacks?:
                    | {
                        providerId: string
                        /** Default: the account's own */
                        model?: string | null
                      }[]
                    | null
                  /** Names and terms to expect */
                  hints?: string[] | null
                } | null
                /** How to pronounce names and abbreviations */
                pronunciation?:
                  | {
                      /** As written */
                      from: string
                      /** As spoken */
                      to: string
                    }[]
                  | null
                /** Speech synthesis */
                voice?: {
                  /** 1 is normal speed */
                  speed?: number | null
                  /** Provider account that has voiceId; default: ttsProvider */
                  providerId?: string | null
                  /** Accounts that speak when it fails, in order; the embedded engines always come last */
                  fallbacks?:
                    | {
                        providerId: string
                        /** Default: the account's own */
                        voiceId?: string | null
                      }[]
                    | null
                } | null
                /** Language model */
                llm?: {
                  /** Provider account; default: the owner's. llmConfig.model names its model */
                  providerId?: string | null
                  /** Accounts that reply when it fails, in order; the embedded engines always come last */
                  fallbacks?:
                    | {
                        providerId: string
                        /** Default: the account's own */
                        model?: string | null
                      }[]
                    | null
                } | null
                recording?: {
                  /** Record the calls of this agent */
                  enabled?: boolean | null
                  /** Spoken before the recording starts */
                  consentNotice?: string | null
                } | null
                /** What to do when voicemail answers an outbound call */
                voicemail?: {
                  action?: 'hangup' | 'message' | 'ignore' | null
                  /** Left after the beep */
                  message?: string | null
                } | null
                /** Post-call analysis */
                analysis?: {
                  /** Write a summary; default true */
                  summary?: boolean | null
                  /** The goal that the analysis checks */
                  success?: string | null
                  /** JSON Schema of the values to extract */
                  fields?: Record<string, unknown> | null
                } | null
                /** Phrases of the caller that end the call */
                endPhrases?: string[] | null
                /** Tool-call limits per conversation or call within 24 hours */
                tools?: {
                  /** Tool calls; default 50 */
                  maxCalls?: number | null
                  /** Tool calls with side effects; default 20 */
                  maxEffects?: number | null
                } | null
                /** The built-in function collect: takes down numbers, names, dates and e-mail addresses in calls */
                collect?: {
                  /** Offer the function to the model; default true */
                  enabled?: boolean | null
                  /** What may be collected; default all kinds */
                  kinds?:
                    | ('cpf' | 'cnpj' | 'cep' | 'phone' | 'email' | 'date' | 'money' | 'name' | 'plate' | 'number')[]
                    | null
                } | null
                /** Default values for {{name}} in the prompt and the opening phrase */
                variables?: Record<string, string> | null
              } | null
            }
          }
        }
      }
      responses: {
        201: {
          content: {
            'application/json': SentMessage
            'text/event-stream': string
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/conversations/messages/{conversationId}': {
    /** List the messages of a conversation, oldest first */
    get: {
      parameters: {
        query?: {
          /** Page size; without it the whole list is returned */
          limit?: number
          /** From the Link header of the previous page */
          cursor?: string
        }
        header?: never
        path: {
          conversationId: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Message[]
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/conversations/start': {
    /** Start a conversation with an agent */
    post: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            agentId: string
            title?: string | null
            /** Values for {{name}} in the prompt and the opening phrase, and for {name} in tools */
            variables?: Record<string, string> | null
          }
        }
      }
      responses: {
        201: {
          content: {
            'application/json': Conversation
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/conversations/{id}': {
    /** Get a conversation */
    get: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Conversation
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
    /** Delete an ended conversation with its messages, tool calls, analysis, events and call */
    delete: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Conversation
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/conversations/{id}/analyse': {
    /** Run the post-call analysis of an ended conversation again */
    post: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        202: {
          content: {
            'application/json': Conversation
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/conversations/{id}/tool-calls': {
    /** List the tool calls of a conversation, oldest first */
    get: {
      parameters: {
        query?: {
          /** Page size; without it the whole list is returned */
          limit?: number
          /** From the Link header of the previous page */
          cursor?: string
        }
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': ToolCall[]
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/did': {
    /** List numbers */
    get: {
      parameters: {
        query?: {
          /** Page size; without it the whole list is returned */
          limit?: number
          /** From the Link header of the previous page */
          cursor?: string
          /** Part of the number, in any notation, or of the provider */
          q?: string
          agentId?: string
          status?: 'active' | 'inactive'
          /** Order of the list; a minus means descending. Default: newest first */
          sort?: 'phoneNumber' | '-phoneNumber' | 'status' | '-status' | 'createdAt' | '-createdAt'
        }
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Did[]
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
    /** Register a number */
    post: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            /** Full number in E.164 format */
            phoneNumber: string
            /** Country calling code, without plus */
            countryCode: string
            provider?: string | null
            agentId?: string | null
          }
        }
      }
      responses: {
        201: {
          content: {
            'application/json': Did
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/did/{id}': {
    /** Get a number */
    get: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Did
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
    /** Delete a number */
    delete: {
      parameters: {
        query?: never
        header?: {
          /** ETags of the versions that may be changed; 412 when the record has another one */
          'If-Match'?: string
        }
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Did
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
    /** Bind a number to an agent, or activate or deactivate it */
    patch: {
      parameters: {
        query?: never
        header?: {
          /** ETags of the versions that may be changed; 412 when the record has another one */
          'If-Match'?: string
        }
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            agentId?: string | null
            status?: 'active' | 'inactive'
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Did
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/did/{id}/answer-hook': {
    /** Get the answer hook of a number */
    get: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': AnswerHook
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
    /** Create or replace the answer hook of a number; a new secret is returned only once */
    put: {
      parameters: {
        query?: never
        header?: {
          /** ETags of the versions that may be changed; 412 when the record has another one */
          'If-Match'?: string
        }
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            /** url: your server is asked; spreadsheet: the row with the number of the caller answers */
            kind: 'url' | 'spreadsheet'
            /** Receives the signed request, http or https, without user name */
            url?: string | null
            spreadsheet?: {
              spreadsheetId: string
              /** Holds the numbers of the callers, in any notation */
              column: string
              /** Holds the id of the agent that answers */
              agentColumn?: string | null
              /** Holds a language such as es-MX */
              languageColumn?: string | null
              /** Refuses the call with this SIP code; yes, sim, sí and x mean 603 */
              refuseColumn?: string | null
              /** Holds the number that the call is sent to */
              transferColumn?: string | null
              /** Holds a text for the prompt */
              contextColumn?: string | null
            } | null
            /** How long the caller hears ringing at most; after that the call is answered without the hook */
            timeoutMs?: number | null
            isActive?: boolean | null
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': SavedAnswerHook
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
    /** Delete the answer hook of a number */
    delete: {
      parameters: {
        query?: never
        header?: {
          /** ETags of the versions that may be changed; 412 when the record has another one */
          'If-Match'?: string
        }
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': AnswerHook
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/did/{id}/answer-hook/rotate-secret': {
    /** Rotate the secret of the answer hook of a number; the old one keeps signing for a day */
    post: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': SavedAnswerHook
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/did/{id}/answer-hook/test': {
    /** Ask the answer hook of a number about a sample call and return its answer */
    post: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            /** The number of the caller in the sample; null: an example */
            caller?: string | null
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': TestedHook
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/events': {
    /** Stream events live, limited to the key's scopes */
    get: {
      parameters: {
        query?: {
          /** Comma-separated types to receive */
          types?: string
        }
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'text/event-stream': string
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/gateway/calls/outbound': {
    /** Place an outbound call through a device */
    post: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            /** Full number in E.164 format */
            toNumber: string
            agentId: string
            /** Values for {{name}} in the prompt and the opening phrase, and for {name} in tools */
            variables?: Record<string, string> | null
            /** Your own data, returned with the call */
            metadata?: Record<string, unknown> | null
            /** Tokens of the devices to call from, tried in order */
            deviceTokens?: string[] | null
          }
        }
      }
      responses: {
        201: {
          content: {
            'application/json': StartedCall
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/gateway/calls/recordings/{sessionId}': {
    /** Download the recording of a finished call */
    get: {
      parameters: {
        query?: {
          /** both: stereo, caller left, agent right; caller or agent: that channel only; mixed: both in one channel */
          channel?: 'both' | 'caller' | 'agent' | 'mixed'
        }
        header?: never
        path: {
          sessionId: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'audio/wav': Blob
          }
        }
        206: {
          content: {
            'audio/wav': Blob
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/gateway/credentials': {
    /** Get the gateway account, without its password */
    get: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': GatewayCredentials
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
    /** Save the gateway account */
    post: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            email: string
            /** Write-only */
            password: string
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': GatewayCredentials
          }
        }
        201: {
          content: {
            'application/json': GatewayCredentials
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
    /** Delete the gateway account */
    delete: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': GatewayCredentials
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/gateway/device-status': {
    /** Get the connection status of a device */
    get: {
      parameters: {
        query?: {
          /** Device by id or deviceId; the default device if omitted */
          deviceId?: string
        }
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': DeviceStatus
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/gateway/devices': {
    /** List devices */
    get: {
      parameters: {
        query?: {
          /** Page size; without it the whole list is returned */
          limit?: number
          /** From the Link header of the previous page */
          cursor?: string
        }
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Device[]
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
    /** Create a device */
    post: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            name?: string | null
            displayName?: string | null
            agentId?: string | null
            /** Full number in E.164 format */
            phone?: string | null
            maxConcurrentCalls?: number | null
            webhookUrl?: string | null
            /** How the device is connected: this server, WhatsApp, or a remote gateway */
            driver?: 'embedded' | 'whatsapp' | 'remote' | null
            inboundEnabled?: boolean | null
            outboundEnabled?: boolean | null
            recordCalls?: boolean | null
          }
        }
      }
      responses: {
        201: {
          content: {
            'application/json': Device
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/gateway/devices/{id}': {
    /** Get a device */
    get: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Device
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
    /** Delete a device */
    delete: {
      parameters: {
        query?: {
          /** Delete even if its gateway cannot be notified */
          force?: boolean
        }
        header?: {
          /** ETags of the versions that may be changed; 412 when the record has another one */
          'If-Match'?: string
        }
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Device
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
    /** Update a device */
    patch: {
      parameters: {
        query?: never
        header?: {
          /** ETags of the versions that may be changed; 412 when the record has another one */
          'If-Match'?: string
        }
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            name?: string | null
            displayName?: string | null
            agentId?: string | null
            /** Full number in E.164 format */
            phone?: string | null
            maxConcurrentCalls?: number | null
            webhookUrl?: string | null
            inboundEnabled?: boolean
            outboundEnabled?: boolean
            recordCalls?: boolean
            /** Disable or enable the device */
            isDisabled?: boolean
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Device
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/gateway/devices/{id}/events': {
    /** Stream a device's status changes */
    get: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'text/event-stream': string
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/gateway/devices/{id}/qr': {
    /** Get the QR code that links a device */
    get: {
      parameters: {
        query?: {
          /** text: the encoded text */
          format?: 'png' | 'svg' | 'text'
          /** link: a one-time URL that sets up a phone; sip: the account with its password, as sip:user:password@host */
          kind?: 'link' | 'sip'
        }
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'image/png': Blob
            'image/svg+xml': string
            'text/plain': string
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/gateway/devices/{id}/unlink': {
    /** Unlink the phone or account linked to a device */
    post: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Device
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/gateway/provision-device': {
    /** Provision the default device with its SIP routes, or return the existing one */
    post: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': ProvisionedDevice
          }
        }
        201: {
          content: {
            'application/json': ProvisionedDevice
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/gateway/sip/credentials': {
    /** Get the SIP account a phone registers with */
    get: {
      parameters: {
        query?: {
          /** Device by id or deviceId; the default device if omitted */
          deviceId?: string
        }
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': SipCredentials
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/gateway/sip/credentials/rotate': {
    /** Rotate a device's SIP password */
    post: {
      parameters: {
        query?: {
          /** Device by id or deviceId; the default device if omitted */
          deviceId?: string
        }
        header?: never
        path?: never
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            /** Device by id or deviceId; the default device if omitted */
            deviceId?: string | null
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': SipCredentials
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/invitations': {
    /** List invitations that nobody has used yet (administrators) */
    get: {
      parameters: {
        query?: {
          /** Page size; without it the whole list is returned */
          limit?: number
          /** From the Link header of the previous page */
          cursor?: string
        }
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Invitation[]
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
    /** Invite a user; the one-time link works for 24 hours and is returned only once (administrators) */
    post: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            email: string
            /** Proposed name; the invited person may change it */
            name?: string | null
            role?: 'admin' | 'member' | null
          }
        }
      }
      responses: {
        201: {
          content: {
            'application/json': CreatedInvitation
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/invitations/{id}': {
    /** Revoke an invitation (administrators) */
    delete: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Invitation
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/invitations/{id}/renew': {
    /** Create a new link for an invitation; the former one stops working (administrators) */
    post: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': CreatedInvitation
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/knowledge-bases': {
    /** List knowledge bases */
    get: {
      parameters: {
        query?: {
          /** Page size; without it the whole list is returned */
          limit?: number
          /** From the Link header of the previous page */
          cursor?: string
        }
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': KnowledgeBase[]
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
    /** Create a knowledge base */
    post: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            name: string
            description?: string | null
            /** Language of the documents; null: detected per passage */
            language?: string | null
            /** Have the language model, if configured, write questions for each passage to improve search */
            generateQuestions?: boolean | null
          }
        }
      }
      responses: {
        201: {
          content: {
            'application/json': KnowledgeBase
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/knowledge-bases/{id}': {
    /** Get a knowledge base */
    get: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': KnowledgeBase
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
    /** Delete a knowledge base with its documents */
    delete: {
      parameters: {
        query?: never
        header?: {
          /** ETags of the versions that may be changed; 412 when the record has another one */
          'If-Match'?: string
        }
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': KnowledgeBase
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
    /** Update a knowledge base */
    patch: {
      parameters: {
        query?: never
        header?: {
          /** ETags of the versions that may be changed; 412 when the record has another one */
          'If-Match'?: string
        }
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            name?: string
            description?: string | null
            /** Language of the documents; null: detected per passage */
            language?: string | null
            /** Have the language model, if configured, write questions for each passage to improve search */
            generateQuestions?: boolean
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': KnowledgeBase
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/knowledge-bases/{id}/documents': {
    /** List documents */
    get: {
      parameters: {
        query?: {
          /** Page size; without it the whole list is returned */
          limit?: number
          /** From the Link header of the previous page */
          cursor?: string
        }
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': KnowledgeDocument[]
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
    /** Add a document: as JSON, or as a file with its own content type and ?name= */
    post: {
      parameters: {
        query?: {
          /** Name of a document uploaded as a file */
          name?: string
        }
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            name: string
            content: string
            contentType?: 'text/plain' | 'text/markdown' | 'text/html' | 'text/csv' | null
          }
          'text/plain': Blob
          'text/markdown': Blob
          'text/html': Blob
          'text/csv': Blob
          'application/pdf': Blob
        }
      }
      responses: {
        201: {
          content: {
            'application/json': KnowledgeDocument
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/knowledge-bases/{id}/documents/{documentId}': {
    /** Get a document with its passages */
    get: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
          documentId: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': DocumentWithPassages
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
    /** Replace the content of a document */
    put: {
      parameters: {
        query?: {
          /** Name of a document uploaded as a file */
          name?: string
        }
        header?: never
        path: {
          id: string
          documentId: string
        }
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            name: string
            content: string
            contentType?: 'text/plain' | 'text/markdown' | 'text/html' | 'text/csv' | null
          }
          'text/plain': Blob
          'text/markdown': Blob
          'text/html': Blob
          'text/csv': Blob
          'application/pdf': Blob
        }
      }
      responses: {
        200: {
          content: {
            'application/json': KnowledgeDocument
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
    /** Delete a document */
    delete: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
          documentId: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': KnowledgeDocument
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/knowledge-bases/{id}/search': {
    /** Search a knowledge base */
    post: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            query: string
            topK?: number | null
            /** Default: 0.33 for keyword search, 0.1 for semantic search */
            minScore?: number | null
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': SearchResult
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/knowledge-bases/{id}/tools': {
    /** List the tools that search a knowledge base, with their agents */
    get: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': UsingTool[]
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/organizations': {
    /** List your organizations */
    get: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Organization[]
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
    /** Create an organization, of which you become the owner (administrators) */
    post: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            name: string
          }
        }
      }
      responses: {
        201: {
          content: {
            'application/json': Organization
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/organizations/{id}': {
    /** Get an organization */
    get: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Organization
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
    /** Rename an organization */
    patch: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            name?: string
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Organization
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/organizations/{id}/invitations': {
    /** List invitations to an organization that nobody has used yet */
    get: {
      parameters: {
        query?: {
          /** Page size; without it the whole list is returned */
          limit?: number
          /** From the Link header of the previous page */
          cursor?: string
        }
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': MemberInvitation[]
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
    /** Invite a person; the one-time link works for 24 hours and is returned only once */
    post: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            email: string
            /** Proposed name; the invited person may change it */
            name?: string | null
            /** owner: everything; admin: everything but owners; builder: agents, tools and knowledge; attendant: calls and call-backs, no prompts, keys or providers; viewer: reads */
            role: 'owner' | 'admin' | 'builder' | 'attendant' | 'viewer'
          }
        }
      }
      responses: {
        201: {
          content: {
            'application/json': CreatedMemberInvitation
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/organizations/{id}/invitations/{invitationId}': {
    /** Revoke an invitation */
    delete: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
          invitationId: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': MemberInvitation
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/organizations/{id}/invitations/{invitationId}/renew': {
    /** Create a new link for an invitation; the former one stops working */
    post: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
          invitationId: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': CreatedMemberInvitation
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/organizations/{id}/leave': {
    /** Leave an organization */
    post: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Member
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/organizations/{id}/members': {
    /** List the members of an organization */
    get: {
      parameters: {
        query?: {
          /** Page size; without it the whole list is returned */
          limit?: number
          /** From the Link header of the previous page */
          cursor?: string
        }
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Member[]
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/organizations/{id}/members/{personId}': {
    /** Remove a member; what they made stays, and their keys stop working */
    delete: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
          personId: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Member
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
    /** Change the role and permissions of a member */
    patch: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
          personId: string
        }
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            /** owner: everything; admin: everything but owners; builder: agents, tools and knowledge; attendant: calls and call-backs, no prompts, keys or providers; viewer: reads */
            role?: 'owner' | 'admin' | 'builder' | 'attendant' | 'viewer'
            /** Listens to recordings, beyond the role */
            mayListen?: boolean
            /** Exports results and lists, beyond the role */
            mayExport?: boolean
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Member
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/overview': {
    /** Get live, daily and 14-day call figures and the setup checklist */
    get: {
      parameters: {
        query?: {
          /** Time zone of the days, such as America/Sao_Paulo */
          timeZone?: string
        }
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Overview
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/overview/agents': {
    /** Count the calls of each agent in the last days; agents without calls are left out */
    get: {
      parameters: {
        query?: {
          /** Calls of the last so many days */
          days?: number
        }
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': AgentCalls[]
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/platform': {
    /** Get what this server offers to the user of the key */
    get: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Platform
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/providers': {
    /** List your provider accounts and the platform's; keys are masked */
    get: {
      parameters: {
        query?: {
          /** What the account is for: language model, speech recognition, speech synthesis or embeddings */
          kind?: 'llm' | 'stt' | 'tts' | 'embeddings'
          /** List the engines inside the platform too (source embedded) */
          embedded?: boolean
        }
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Provider[]
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
    /** Create a provider account; calls that start from now on use it */
    post: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            /** What the account is for: language model, speech recognition, speech synthesis or embeddings */
            kind?: 'llm' | 'stt' | 'tts' | 'embeddings'
            /** GET /api/providers/vendors says which vendors a kind has */
            vendor:
              | 'openai'
              | 'anthropic'
              | 'google'
              | 'groq'
              | 'openrouter'
              | 'mistral'
              | 'ollama'
              | 'openai-compatible'
              | 'deepgram'
              | 'openai-realtime'
              | 'azure'
              | 'elevenlabs'
              | 'cartesia'
            name?: string | null
            /** Base URL with its version. Only an administrator may name a private address */
            baseUrl?: string | null
            /** Model of agents that name none. Required where the vendor has no default, as for language models */
            model?: string | null
            /** Further models that agents may name; null: any */
            models?: string[] | null
            /** Stored encrypted and never returned. It is bound to the origin of the base URL */
            apiKey?: string | null
            /** The owner's agents that name no account use this one. Always false for kind tts: an agent names its voice */
            isDefault?: boolean
            /** For the whole platform; only an administrator may set it */
            isShared?: boolean
            /** What the account costs, entered by hand: Ramal reads no price lists */
            prices?: {
              currency: string
              /** Language models and embeddings */
              inputPerMillionTokens?: number | null
              /** Language models */
              outputPerMillionTokens?: number | null
              /** Speech recognition */
              perMinute?: number | null
              /** Speech synthesis */
              perMillionCharacters?: number | null
            } | null
          }
        }
      }
      responses: {
        201: {
          content: {
            'application/json': Provider
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/providers/draft/models': {
    /** List the models of a vendor before an account is stored */
    post: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            /** Stored account whose key is used if apiKey is omitted and the origin is the same */
            id?: string | null
            /** What the account is for: language model, speech recognition, speech synthesis or embeddings */
            kind?: 'llm' | 'stt' | 'tts' | 'embeddings'
            /** GET /api/providers/vendors says which vendors a kind has */
            vendor:
              | 'openai'
              | 'anthropic'
              | 'google'
              | 'groq'
              | 'openrouter'
              | 'mistral'
              | 'ollama'
              | 'openai-compatible'
              | 'deepgram'
              | 'openai-realtime'
              | 'azure'
              | 'elevenlabs'
              | 'cartesia'
            /** Base URL with its version. Only an administrator may name a private address */
            baseUrl?: string | null
            /** Stored encrypted and never returned. It is bound to the origin of the base URL */
            apiKey?: string | null
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': ProviderModel[]
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/providers/draft/test': {
    /** Test values of a provider account before they are stored */
    post: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            /** Stored account whose key is used if apiKey is omitted and the origin is the same */
            id?: string | null
            /** What the account is for: language model, speech recognition, speech synthesis or embeddings */
            kind?: 'llm' | 'stt' | 'tts' | 'embeddings'
            /** GET /api/providers/vendors says which vendors a kind has */
            vendor:
              | 'openai'
              | 'anthropic'
              | 'google'
              | 'groq'
              | 'openrouter'
              | 'mistral'
              | 'ollama'
              | 'openai-compatible'
              | 'deepgram'
              | 'openai-realtime'
              | 'azure'
              | 'elevenlabs'
              | 'cartesia'
            /** Base URL with its version. Only an administrator may name a private address */
            baseUrl?: string | null
            /** Stored encrypted and never returned. It is bound to the origin of the base URL */
            apiKey?: string | null
            /** Model of agents that name none. Required where the vendor has no default, as for language models */
            model?: string | null
            /** Kind tts: the voice that speaks; default: the first that the vendor lists */
            voiceId?: string | null
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': ProviderTest
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/providers/draft/voices': {
    /** List the voices of a vendor before an account is stored */
    post: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            /** Stored account whose key is used if apiKey is omitted and the origin is the same */
            id?: string | null
            /** What the account is for: language model, speech recognition, speech synthesis or embeddings */
            kind?: 'llm' | 'stt' | 'tts' | 'embeddings'
            /** GET /api/providers/vendors says which vendors a kind has */
            vendor:
              | 'openai'
              | 'anthropic'
              | 'google'
              | 'groq'
              | 'openrouter'
              | 'mistral'
              | 'ollama'
              | 'openai-compatible'
              | 'deepgram'
              | 'openai-realtime'
              | 'azure'
              | 'elevenlabs'
              | 'cartesia'
            /** Base URL with its version. Only an administrator may name a private address */
            baseUrl?: string | null
            /** Stored encrypted and never returned. It is bound to the origin of the base URL */
            apiKey?: string | null
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': ProviderVoice[]
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/providers/local': {
    /** Search this machine for Ollama, LM Studio, llama.cpp, vLLM and LocalAI; for administrators */
    get: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': LocalServer[]
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/providers/vendors': {
    /** List the vendors of each kind, with their default address and model */
    get: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': ProviderVendor[]
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/providers/{id}': {
    /** Get a provider account */
    get: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Provider
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
    /** Delete a provider account, and get the one that is used instead */
    delete: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': RemovedProvider
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
    /** Update a provider account; running calls keep what they began with */
    patch: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            name?: string
            /** Base URL with its version. Only an administrator may name a private address */
            baseUrl?: string | null
            /** Model of agents that name none. Required where the vendor has no default, as for language models */
            model?: string
            /** Further models that agents may name; null: any */
            models?: string[] | null
            /** Stored encrypted and never returned. It is bound to the origin of the base URL */
            apiKey?: string | null
            /** The owner's agents that name no account use this one. Always false for kind tts: an agent names its voice */
            isDefault?: boolean
            /** For the whole platform; only an administrator may set it */
            isShared?: boolean
            /** What the account costs, entered by hand: Ramal reads no price lists */
            prices?: {
              currency: string
              /** Language models and embeddings */
              inputPerMillionTokens?: number | null
              /** Language models */
              outputPerMillionTokens?: number | null
              /** Speech recognition */
              perMinute?: number | null
              /** Speech synthesis */
              perMillionCharacters?: number | null
            } | null
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Provider
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/providers/{id}/models': {
    /** List the models that the vendor offers to a provider account */
    get: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': ProviderModel[]
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/providers/{id}/test': {
    /** Test a provider account: one word, sentence or sample, and the time to the first token, word or sound */
    post: {
      parameters: {
        query?: {
          /** Kind tts: the voice that speaks; default: the first that the vendor lists */
          voiceId?: string
        }
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': ProviderTest
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/providers/{id}/voices': {
    /** List the voices that the vendor offers to a provider account of kind tts */
    get: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': ProviderVoice[]
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/rehearsal-scripts': {
    /** List saved rehearsals with the last run of each, without scripts */
    get: {
      parameters: {
        query?: {
          /** Page size; without it the whole list is returned */
          limit?: number
          /** From the Link header of the previous page */
          cursor?: string
          agentId?: string
        }
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': ListedRehearsalScript[]
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
    /** Save a rehearsal */
    post: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            name: string
            agentId: string
            /** Steps, tool results and expectations, as for POST /api/rehearsals */
            script: {
              /** Overrides of the stored agent for this rehearsal; not saved */
              agent?: {
                name?: string
                /** The agent's instructions */
                systemPrompt?: string
                /** A voice of the ttsProvider */
                voiceId?: string | null
                language?: string
                ttsProvider?: 'provider_a' | 'provider_b' | 'provider_c'
                /** First sentence when the call is answered; may hold {{name}} variables */
                initialSpeech?: string | null
                /** Language-model configuration, stored as sent */
                llmConfig?:
                  | ({
                      model?: string
                      temperature?: number
                    } & Record<string, unknown>)
                  | null
                /** Voice configuration of provider_a: model_id, voice_settings */
                provider_aConfig?: Record<string, unknown> | null
                /** Turn-taking, speech, recording, analysis and limits */
                settings?: {
                  /** Who speaks first: the agent with initialSpeech, the agent with a generated sentence, or the caller */
                  firstMessage?: 'agent_first' | 'agent_first_generated' | 'caller_first' | null
                  /** The caller can interrupt the agent */
                  interruptible?: boolean | null
                  /** Turn-taking */
                  turn?: {
                    /** Shortest pause that can end a turn */
                    minPauseMs?: number | null
                    /** Pause that always ends a turn */
                    maxPauseMs?: number | null
                    /** Start generating the reply before the end of the turn is certain (preemptive generation) */
                    speculate?: boolean | null
                    /** Speech of this length interrupts the agent (barge-in) */
                    interruptAfterMs?: number | null
                    /** Words the caller must say before the agent is interrupted */
                    interruptAfterWords?: number | null
                    /** Silence after which the agent asks whether the caller is still there */
                    idleReminderMs?: number | null
                    /** Silence after which the call ends */
                    silenceHangupMs?: number | null
                    /** Longest duration of a call */
                    maxDurationMs?: number | null
                  } | null
                  /** Speech recognition */
                  recognition?: {
                    /** Kept as it was stored, and not used: see providerId */
                    provider?: string | null
                    /** Provider account; default: the owner's, else the platform's */
                    providerId?: string | null
                    /** Model of the account */
                    model?: string | null
                    /** Accounts that recognise speech when it fails, in order; the embedded engines always come last */
                    fallbacks?:
                      | {
                          providerId: string
                          /** Default: the account's own */
                          model?: string | null
                        }[]
                      | null
                    /** Names and terms to expect */
                    hints?: string[] | null
                  } | null
                  /** How to pronounce names and abbreviations */
                  pronunciation?:
                    | {
                        /** As written */
                        from: string
                        /** As spoken */
                        to: string
                      }[]
                    | null
                  /** Speech synthesis */
                  voice?: {
                    /** 1 is normal speed */
                    speed?: number | null
                    /** Provider account that has voiceId; default: ttsProvider */
                    providerId?: string | null
                    /** Accounts that speak when it fails, in order; the embedded engines always come last */
                    fallbacks?:
                      | {
                          providerId: string
                          /** Default: the account's own */
                          voiceId?: string | null
                        }[]
                      | null
                  } | null
                  /** Language model */
                  llm?: {
                    /** Provider account; default: the owner's. llmConfig.model names its model */
                    providerId?: string | null
                    /** Accounts that reply when it fails, in order; the embedded engines always come last */
                    fallbacks?:
                      | {
                          providerId: string
                          /** Default: the account's own */
                          model?: string | null
                        }[]
                      | null
                  } | null
                  recording?: {
                    /** Record the calls of this agent */
                    enabled?: boolean | null
                    /** Spoken before the recording starts */
                    consentNotice?: string | null
                  } | null
                  /** What to do when voicemail answers an outbound call */
                  voicemail?: {
                    action?: 'hangup' | 'message' | 'ignore' | null
                    /** Left after the beep */
                    message?: string | null
                  } | null
                  /** Post-call analysis */
                  analysis?: {
                    /** Write a summary; default true */
                    summary?: boolean | null
                    /** The goal that the analysis checks */
                    success?: string | null
                    /** JSON Schema of the values to extract */
                    fields?: Record<string, unknown> | null
                  } | null
                  /** Phrases of the caller that end the call */
                  endPhrases?: string[] | null
                  /** Tool-call limits per conversation or call within 24 hours */
                  tools?: {
                    /** Tool calls; default 50 */
                    maxCalls?: number | null
                    /** Tool calls with side effects; default 20 */
                    maxEffects?: number | null
                  } | null
                  /** The built-in function collect: takes down numbers, names, dates and e-mail addresses in calls */
                  collect?: {
                    /** Offer the function to the model; default true */
                    enabled?: boolean | null
                    /** What may be collected; default all kinds */
                    kinds?:
                      | ('cpf' | 'cnpj' | 'cep' | 'phone' | 'email' | 'date' | 'money' | 'name' | 'plate' | 'number')[]
                      | null
                  } | null
                  /** Default values for {{name}} in the prompt and the opening phrase */
                  variables?: Record<string, string> | null
                } | null
              } | null
              mode?: 'text' | 'audio' | null
              /** In audio mode: real synthesises the speech of the agent */
              agentVoice?: 'scripted' | 'real' | null
              direction?: 'inbound' | 'outbound' | null
              variables?: Record<string, string> | null
              steps?:
                | {
                    says?: string | null
                    /** Duration of the utterance; estimated from its length if omitted */
                    ms?: number | null
                    /** Base64-encoded WAV file played instead (audio mode) */
                    audio?: string | null
                    /** Silence, in ms */
                    waits?: number | null
                    /** DTMF digits */
                    presses?: string | null
                    /** Noise without speech, in ms */
                    noise?: number | null
                    hangsUp?: boolean | null
                    /** From now on the agent’s external providers of this kind refuse connections; none: they work again. afterMs 0: at once */
                    outage?: 'llm' | 'stt' | 'tts' | 'all' | 'none' | null
                    /** Start this long after the previous step, whatever the agent does */
                    afterMs?: number | null
                    /** Interrupt this long after the agent starts to speak */
                    interruptsAfterMs?: number | null
                  }[]
                | null
              /** Result of each tool by name; others get a neutral result. No tool is run */
              tools?: Record<
                string,
                {
                  /** The tool result: text or any JSON */
                  result?: unknown
                  error?: string | null
                  delayMs?: number | null
                  endsCall?: string | null
                }
              > | null
              expect?:
                | {
                    said?: {
                      contains?: string | null
                      /** A regular expression (RE2) */
                      matches?: string | null
                      not?: string | null
                      turn?: number | null
                    } | null
                    heard?: {
                      contains?: string | null
                      /** A regular expression (RE2) */
                      matches?: string | null
                      not?: string | null
                      turn?: number | null
                    } | null
                    toolRan?: string | null
                    args?: Record<string, unknown> | null
                    times?: number | null
                    toolNotRan?: string | null
                    turnUnderMs?: number | null
                    turn?: number | null
                    interrupted?: number | null
                    endReason?: string | null
                    /** This chain of providers used another than its first; none: no chain did */
                    degraded?: 'llm' | 'stt' | 'tts' | 'none' | null
                  }[]
                | null
              /** Simulated durations of the stages, instead of the measured ones */
              timing?: {
                recognitionMs?: number | null
                modelMs?: number | null
                synthesisMs?: number | null
              } | null
              /** Background noise level (audio mode) */
              noiseDb?: number | null
            }
          }
        }
      }
      responses: {
        201: {
          content: {
            'application/json': RehearsalScript
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/rehearsal-scripts/from-call': {
    /** Save a rehearsal that repeats what the caller of a call did; it is deleted together with the call */
    post: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            callId: string
            name?: string | null
          }
        }
      }
      responses: {
        201: {
          content: {
            'application/json': RehearsalScript
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/rehearsal-scripts/{id}': {
    /** Get a saved rehearsal */
    get: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': RehearsalScript
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
    /** Delete a saved rehearsal; its runs stay */
    delete: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': RehearsalScript
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
    /** Update a saved rehearsal */
    patch: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            name?: string
            agentId?: string
            /** Steps, tool results and expectations, as for POST /api/rehearsals */
            script?: {
              /** Overrides of the stored agent for this rehearsal; not saved */
              agent?: {
                name?: string
                /** The agent's instructions */
                systemPrompt?: string
                /** A voice of the ttsProvider */
                voiceId?: string | null
                language?: string
                ttsProvider?: 'provider_a' | 'provider_b' | 'provider_c'
                /** First sentence when the call is answered; may hold {{name}} variables */
                initialSpeech?: string | null
                /** Language-model configuration, stored as sent */
                llmConfig?:
                  | ({
                      model?: string
                      temperature?: number
                    } & Record<string, unknown>)
                  | null
                /** Voice configuration of provider_a: model_id, voice_settings */
                provider_aConfig?: Record<string, unknown> | null
                /** Turn-taking, speech, recording, analysis and limits */
                settings?: {
                  /** Who speaks first: the agent with initialSpeech, the agent with a generated sentence, or the caller */
                  firstMessage?: 'agent_first' | 'agent_first_generated' | 'caller_first' | null
                  /** The caller can interrupt the agent */
                  interruptible?: boolean | null
                  /** Turn-taking */
                  turn?: {
                    /** Shortest pause that can end a turn */
                    minPauseMs?: number | null
                    /** Pause that always ends a turn */
                    maxPauseMs?: number | null
                    /** Start generating the reply before the end of the turn is certain (preemptive generation) */
                    speculate?: boolean | null
                    /** Speech of this length interrupts the agent (barge-in) */
                    interruptAfterMs?: number | null
                    /** Words the caller must say before the agent is interrupted */
                    interruptAfterWords?: number | null
                    /** Silence after which the agent asks whether the caller is still there */
                    idleReminderMs?: number | null
                    /** Silence after which the call ends */
                    silenceHangupMs?: number | null
                    /** Longest duration of a call */
                    maxDurationMs?: number | null
                  } | null
                  /** Speech recognition */
                  recognition?: {
                    /** Kept as it was stored, and not used: see providerId */
                    provider?: string | null
                    /** Provider account; default: the owner's, else the platform's */
                    providerId?: string | null
                    /** Model of the account */
                    model?: string | null
                    /** Accounts that recognise speech when it fails, in order; the embedded engines always come last */
                    fallbacks?:
                      | {
                          providerId: string
                          /** Default: the account's own */
                          model?: string | null
                        }[]
                      | null
                    /** Names and terms to expect */
                    hints?: string[] | null
                  } | null
                  /** How to pronounce names and abbreviations */
                  pronunciation?:
                    | {
                        /** As written */
                        from: string
                        /** As spoken */
                        to: string
                      }[]
                    | null
                  /** Speech synthesis */
                  voice?: {
                    /** 1 is normal speed */
                    speed?: number | null
                    /** Provider account that has voiceId; default: ttsProvider */
                    providerId?: string | null
                    /** Accounts that speak when it fails, in order; the embedded engines always come last */
                    fallbacks?:
                      | {
                          providerId: string
                          /** Default: the account's own */
                          voiceId?: string | null
                        }[]
                      | null
                  } | null
                  /** Language model */
                  llm?: {
                    /** Provider account; default: the owner's. llmConfig.model names its model */
                    providerId?: string | null
                    /** Accounts that reply when it fails, in order; the embedded engines always come last */
                    fallbacks?:
                      | {
                          providerId: string
                          /** Default: the account's own */
                          model?: string | null
                        }[]
                      | null
                  } | null
                  recording?: {
                    /** Record the calls of this agent */
                    enabled?: boolean | null
                    /** Spoken before the recording starts */
                    consentNotice?: string | null
                  } | null
                  /** What to do when voicemail answers an outbound call */
                  voicemail?: {
                    action?: 'hangup' | 'message' | 'ignore' | null
                    /** Left after the beep */
                    message?: string | null
                  } | null
                  /** Post-call analysis */
                  analysis?: {
                    /** Write a summary; default true */
                    summary?: boolean | null
                    /** The goal that the analysis checks */
                    success?: string | null
                    /** JSON Schema of the values to extract */
                    fields?: Record<string, unknown> | null
                  } | null
                  /** Phrases of the caller that end the call */
                  endPhrases?: string[] | null
                  /** Tool-call limits per conversation or call within 24 hours */
                  tools?: {
                    /** Tool calls; default 50 */
                    maxCalls?: number | null
                    /** Tool calls with side effects; default 20 */
                    maxEffects?: number | null
                  } | null
                  /** The built-in function collect: takes down numbers, names, dates and e-mail addresses in calls */
                  collect?: {
                    /** Offer the function to the model; default true */
                    enabled?: boolean | null
                    /** What may be collected; default all kinds */
                    kinds?:
                      | ('cpf' | 'cnpj' | 'cep' | 'phone' | 'email' | 'date' | 'money' | 'name' | 'plate' | 'number')[]
                      | null
                  } | null
                  /** Default values for {{name}} in the prompt and the opening phrase */
                  variables?: Record<string, string> | null
                } | null
              } | null
              mode?: 'text' | 'audio' | null
              /** In audio mode: real synthesises the speech of the agent */
              agentVoice?: 'scripted' | 'real' | null
              direction?: 'inbound' | 'outbound' | null
              variables?: Record<string, string> | null
              steps?:
                | {
                    says?: string | null
                    /** Duration of the utterance; estimated from its length if omitted */
                    ms?: number | null
                    /** Base64-encoded WAV file played instead (audio mode) */
                    audio?: string | null
                    /** Silence, in ms */
                    waits?: number | null
                    /** DTMF digits */
                    presses?: string | null
                    /** Noise without speech, in ms */
                    noise?: number | null
                    hangsUp?: boolean | null
                    /** From now on the agent’s external providers of this kind refuse connections; none: they work again. afterMs 0: at once */
                    outage?: 'llm' | 'stt' | 'tts' | 'all' | 'none' | null
                    /** Start this long after the previous step, whatever the agent does */
                    afterMs?: number | null
                    /** Interrupt this long after the agent starts to speak */
                    interruptsAfterMs?: number | null
                  }[]
                | null
              /** Result of each tool by name; others get a neutral result. No tool is run */
              tools?: Record<
                string,
                {
                  /** The tool result: text or any JSON */
                  result?: unknown
                  error?: string | null
                  delayMs?: number | null
                  endsCall?: string | null
                }
              > | null
              expect?:
                | {
                    said?: {
                      contains?: string | null
                      /** A regular expression (RE2) */
                      matches?: string | null
                      not?: string | null
                      turn?: number | null
                    } | null
                    heard?: {
                      contains?: string | null
                      /** A regular expression (RE2) */
                      matches?: string | null
                      not?: string | null
                      turn?: number | null
                    } | null
                    toolRan?: string | null
                    args?: Record<string, unknown> | null
                    times?: number | null
                    toolNotRan?: string | null
                    turnUnderMs?: number | null
                    turn?: number | null
                    interrupted?: number | null
                    endReason?: string | null
                    /** This chain of providers used another than its first; none: no chain did */
                    degraded?: 'llm' | 'stt' | 'tts' | 'none' | null
                  }[]
                | null
              /** Simulated durations of the stages, instead of the measured ones */
              timing?: {
                recognitionMs?: number | null
                modelMs?: number | null
                synthesisMs?: number | null
              } | null
              /** Background noise level (audio mode) */
              noiseDb?: number | null
            }
            /** true: keep it when the call that it was made from is deleted */
            isKept?: boolean
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': RehearsalScript
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/rehearsal-scripts/{id}/runs': {
    /** List the runs of a saved rehearsal, newest first, without transcripts */
    get: {
      parameters: {
        query?: {
          /** Page size; without it the whole list is returned */
          limit?: number
          /** From the Link header of the previous page */
          cursor?: string
        }
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': ListedRehearsal[]
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
    /** Run a saved rehearsal; responds at once, then poll GET /api/rehearsals/:id */
    post: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            /** Another agent than the one it was saved for */
            agentId?: string | null
          }
        }
      }
      responses: {
        201: {
          content: {
            'application/json': Rehearsal
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/rehearsals': {
    /** List rehearsals, without transcripts */
    get: {
      parameters: {
        query?: {
          /** Page size; without it the whole list is returned */
          limit?: number
          /** From the Link header of the previous page */
          cursor?: string
        }
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': ListedRehearsal[]
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
    /** Run a rehearsal: a scripted or replayed caller talks to an agent; responds when it ends, or after a minute */
    post: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            agentId?: string | null
            name?: string | null
            /** Id of a call whose caller is replayed */
            replayOf?: string | null
            /** Overrides of the stored agent for this rehearsal; not saved */
            agent?: {
              name?: string
              /** The agent's instructions */
              systemPrompt?: string
              /** A voice of the ttsProvider */
              voiceId?: string | null
              language?: string
              ttsProvider?: 'provider_a' | 'provider_b' | 'provider_c'
              /** First sentence when the call is answered; may hold {{name}} variables */
              initialSpeech?: string | null
              /** Language-model configuration, stored as sent */
              llmConfig?:
                | ({
                    model?: string
                    temperature?: number
                  } & Record<string, unknown>)
                | null
              /** Voice configuration of provider_a: model_id, voice_settings */
              provider_aConfig?: Record<string, unknown> | null
              /** Turn-taking, speech, recording, analysis and limits */
              settings?: {
                /** Who speaks first: the agent with initialSpeech, the agent with a generated sentence, or the caller */
                firstMessage?: 'agent_first' | 'agent_first_generated' | 'caller_first' | null
                /** The caller can interrupt the agent */
                interruptible?: boolean | null
                /** Turn-taking */
                turn?: {
                  /** Shortest pause that can end a turn */
                  minPauseMs?: number | null
                  /** Pause that always ends a turn */
                  maxPauseMs?: number | null
                  /** Start generating the reply before the end of the turn is certain (preemptive generation) */
                  speculate?: boolean | null
                  /** Speech of this length interrupts the agent (barge-in) */
                  interruptAfterMs?: number | null
                  /** Words the caller must say before the agent is interrupted */
                  interruptAfterWords?: number | null
                  /** Silence after which the agent asks whether the caller is still there */
                  idleReminderMs?: number | null
                  /** Silence after which the call ends */
                  silenceHangupMs?: number | null
                  /** Longest duration of a call */
                  maxDurationMs?: number | null
                } | null
                /** Speech recognition */
                recognition?: {
                  /** Kept as it was stored, and not used: see providerId */
                  provider?: string | null
                  /** Provider account; default: the owner's, else the platform's */
                  providerId?: string | null
                  /** Model of the account */
                  model?: string | null
                  /** Accounts that recognise speech when it fails, in order; the embedded engines always come last */
                  fallbacks?:
                    | {
                        providerId: string
                        /** Default: the account's own */
                        model?: string | null
                      }[]
                    | null
                  /** Names and terms to expect */
                  hints?: string[] | null
                } | null
                /** How to pronounce names and abbreviations */
                pronunciation?:
                  | {
                      /** As written */
                      from: string
                      /** As spoken */
                      to: string
                    }[]
                  | null
                /** Speech synthesis */
                voice?: {
                  /** 1 is normal speed */
                  speed?: number | null
                  /** Provider account that has voiceId; default: ttsProvider */
                  providerId?: string | null
                  /** Accounts that speak when it fails, in order; the embedded engines always come last */
                  fallbacks?:
                    | {
                        providerId: string
                        /** Default: the account's own */
                        voiceId?: string | null
                      }[]
                    | null
                } | null
                /** Language model */
                llm?: {
                  /** Provider account; default: the owner's. llmConfig.model names its model */
                  providerId?: string | null
                  /** Accounts that reply when it fails, in order; the embedded engines always come last */
                  fallbacks?:
                    | {
                        providerId: string
                        /** Default: the account's own */
                        model?: string | null
                      }[]
                    | null
                } | null
                recording?: {
                  /** Record the calls of this agent */
                  enabled?: boolean | null
                  /** Spoken before the recording starts */
                  consentNotice?: string | null
                } | null
                /** What to do when voicemail answers an outbound call */
                voicemail?: {
                  action?: 'hangup' | 'message' | 'ignore' | null
                  /** Left after the beep */
                  message?: string | null
                } | null
                /** Post-call analysis */
                analysis?: {
                  /** Write a summary; default true */
                  summary?: boolean | null
                  /** The goal that the analysis checks */
                  success?: string | null
                  /** JSON Schema of the values to extract */
                  fields?: Record<string, unknown> | null
                } | null
                /** Phrases of the caller that end the call */
                endPhrases?: string[] | null
                /** Tool-call limits per conversation or call within 24 hours */
                tools?: {
                  /** Tool calls; default 50 */
                  maxCalls?: number | null
                  /** Tool calls with side effects; default 20 */
                  maxEffects?: number | null
                } | null
                /** The built-in function collect: takes down numbers, names, dates and e-mail addresses in calls */
                collect?: {
                  /** Offer the function to the model; default true */
                  enabled?: boolean | null
                  /** What may be collected; default all kinds */
                  kinds?:
                    | ('cpf' | 'cnpj' | 'cep' | 'phone' | 'email' | 'date' | 'money' | 'name' | 'plate' | 'number')[]
                    | null
                } | null
                /** Default values for {{name}} in the prompt and the opening phrase */
                variables?: Record<string, string> | null
              } | null
            } | null
            mode?: 'text' | 'audio' | null
            /** In audio mode: real synthesises the speech of the agent */
            agentVoice?: 'scripted' | 'real' | null
            direction?: 'inbound' | 'outbound' | null
            variables?: Record<string, string> | null
            steps?:
              | {
                  says?: string | null
                  /** Duration of the utterance; estimated from its length if omitted */
                  ms?: number | null
                  /** Base64-encoded WAV file played instead (audio mode) */
                  audio?: string | null
                  /** Silence, in ms */
                  waits?: number | null
                  /** DTMF digits */
                  presses?: string | null
                  /** Noise without speech, in ms */
                  noise?: number | null
                  hangsUp?: boolean | null
                  /** From now on the agent’s external providers of this kind refuse connections; none: they work again. afterMs 0: at once */
                  outage?: 'llm' | 'stt' | 'tts' | 'all' | 'none' | null
                  /** Start this long after the previous step, whatever the agent does */
                  afterMs?: number | null
                  /** Interrupt this long after the agent starts to speak */
                  interruptsAfterMs?: number | null
                }[]
              | null
            /** Result of each tool by name; others get a neutral result. No tool is run */
            tools?: Record<
              string,
              {
                /** The tool result: text or any JSON */
                result?: unknown
                error?: string | null
                delayMs?: number | null
                endsCall?: string | null
              }
            > | null
            expect?:
              | {
                  said?: {
                    contains?: string | null
                    /** A regular expression (RE2) */
                    matches?: string | null
                    not?: string | null
                    turn?: number | null
                  } | null
                  heard?: {
                    contains?: string | null
                    /** A regular expression (RE2) */
                    matches?: string | null
                    not?: string | null
                    turn?: number | null
                  } | null
                  toolRan?: string | null
                  args?: Record<string, unknown> | null
                  times?: number | null
                  toolNotRan?: string | null
                  turnUnderMs?: number | null
                  turn?: number | null
                  interrupted?: number | null
                  endReason?: string | null
                  /** This chain of providers used another than its first; none: no chain did */
                  degraded?: 'llm' | 'stt' | 'tts' | 'none' | null
                }[]
              | null
            /** Simulated durations of the stages, instead of the measured ones */
            timing?: {
              recognitionMs?: number | null
              modelMs?: number | null
              synthesisMs?: number | null
            } | null
            /** Background noise level (audio mode) */
            noiseDb?: number | null
          }
        }
      }
      responses: {
        201: {
          content: {
            'application/json': Rehearsal
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/rehearsals/{id}': {
    /** Get a rehearsal with its result */
    get: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Rehearsal
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
    /** Delete a rehearsal; a running one is stopped */
    delete: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Rehearsal
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/rehearsals/{id}/comparison': {
    /** Compare the answers of two rehearsals, turn by turn */
    get: {
      parameters: {
        query?: {
          /** Id of the other run; required */
          with?: string
        }
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': RehearsalComparison
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/rehearsals/{id}/script': {
    /** Get what a rehearsal ran, without audio; null for one from before this was stored */
    get: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': RehearsalRunScript
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/rehearsals/{id}/stop': {
    /** Stop a running rehearsal; what has happened so far is kept */
    post: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Rehearsal
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/settings': {
    /** Get the server's settings, without secrets */
    get: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Settings
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/settings/addresses': {
    /** Get the addresses of this server */
    get: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Addresses
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
    /** Change the addresses of this server, which restarts when the calls in progress are over */
    patch: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            host?: string | null
            sipHost?: string | null
            publicUrl?: string | null
            publicAddress?: string | null
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Addresses
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/spreadsheets': {
    /** List spreadsheets */
    get: {
      parameters: {
        query?: {
          /** Page size; without it the whole list is returned */
          limit?: number
          /** From the Link header of the previous page */
          cursor?: string
        }
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Spreadsheet[]
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
    /** Create a spreadsheet */
    post: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            name: string
            columns: string[]
          }
        }
      }
      responses: {
        201: {
          content: {
            'application/json': Spreadsheet
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/spreadsheets/{id}': {
    /** Get a spreadsheet, without its rows */
    get: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Spreadsheet
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
    /** Delete a spreadsheet and its rows */
    delete: {
      parameters: {
        query?: never
        header?: {
          /** ETags of the versions that may be changed; 412 when the record has another one */
          'If-Match'?: string
        }
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Spreadsheet
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
    /** Rename a spreadsheet */
    patch: {
      parameters: {
        query?: never
        header?: {
          /** ETags of the versions that may be changed; 412 when the record has another one */
          'If-Match'?: string
        }
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            name?: string
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Spreadsheet
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/spreadsheets/{id}/content': {
    /** Download a spreadsheet as a file */
    get: {
      parameters: {
        query?: {
          format?: 'csv' | 'xlsx'
        }
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'text/csv': Blob
            'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': Blob
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
    /** Replace all rows with a CSV or XLSX file whose first row names the columns */
    put: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody: {
        content: {
          'text/csv': Blob
          'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': Blob
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Spreadsheet
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/spreadsheets/{id}/rows': {
    /** List rows, in order */
    get: {
      parameters: {
        query?: {
          /** Page size; without it the whole list is returned */
          limit?: number
          /** From the Link header of the previous page */
          cursor?: string
          /** Rows that contain this text, ignoring case and accents */
          q?: string
        }
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': SheetRow[]
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
    /** Append a row */
    post: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            /** Cells by column name. Dates are text: 2026-03-01 or 2026-03-01T14:30:00 */
            values: Record<string, string | number | boolean | null>
          }
        }
      }
      responses: {
        201: {
          content: {
            'application/json': SheetRow
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/spreadsheets/{id}/rows/{rowId}': {
    /** Delete a row */
    delete: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
          rowId: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': SheetRow
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
    /** Update the cells that are sent */
    patch: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
          rowId: string
        }
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            /** Cells by column name. Dates are text: 2026-03-01 or 2026-03-01T14:30:00 */
            values: Record<string, string | number | boolean | null>
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': SheetRow
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/spreadsheets/{id}/tools': {
    /** List the tools that use a spreadsheet, with their agents */
    get: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': UsingTool[]
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/suppression-lists': {
    /** List imported suppression lists */
    get: {
      parameters: {
        query?: {
          /** Page size; without it the whole list is returned */
          limit?: number
          /** From the Link header of the previous page */
          cursor?: string
        }
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': SuppressionList[]
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
    /** Create a suppression list */
    post: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            name: string
            /** Free text: what kind of calls it forbids; null: all */
            sector?: string | null
            /** It holds from this moment */
            effectiveAt?: string | null
          }
        }
      }
      responses: {
        201: {
          content: {
            'application/json': SuppressionList
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/suppression-lists/{id}': {
    /** Get a suppression list */
    get: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': SuppressionList
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
    /** Delete a suppression list and its numbers */
    delete: {
      parameters: {
        query?: never
        header?: {
          /** ETags of the versions that may be changed; 412 when the record has another one */
          'If-Match'?: string
        }
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': SuppressionList
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
    /** Update a suppression list */
    patch: {
      parameters: {
        query?: never
        header?: {
          /** ETags of the versions that may be changed; 412 when the record has another one */
          'If-Match'?: string
        }
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            name?: string
            /** Free text: what kind of calls it forbids; null: all */
            sector?: string | null
            /** It holds from this moment */
            effectiveAt?: string
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': SuppressionList
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/suppression-lists/{id}/content': {
    /** Replace the numbers of a list with a CSV or XLSX file */
    put: {
      parameters: {
        query?: {
          /** Of numbers without a country code. Default: BR */
          defaultCountry?: string
        }
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody: {
        content: {
          'text/csv': Blob
          'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': Blob
        }
      }
      responses: {
        200: {
          content: {
            'application/json': SuppressionImport
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/suppressions': {
    /** List suppressed numbers, newest first */
    get: {
      parameters: {
        query?: {
          /** Page size; without it the whole list is returned */
          limit?: number
          /** From the Link header of the previous page */
          cursor?: string
          /** A number in any notation, a part of one, or words of the note */
          q?: string
          /** A list; own: your own */
          listId?: string
          reason?: 'opt_out' | 'wrong_person' | 'manual' | 'imported'
        }
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Suppression[]
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
    /** Suppress a number in all campaigns */
    post: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            phoneNumber: string
            defaultCountry?: string | null
            reason?: 'opt_out' | 'wrong_person' | 'manual' | null
            note?: string | null
          }
        }
      }
      responses: {
        201: {
          content: {
            'application/json': Suppression
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/suppressions/check': {
    /** Is this number suppressed, and by what */
    post: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            phoneNumber: string
            defaultCountry?: string | null
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': SuppressionResult
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/suppressions/{id}': {
    /** Get a suppressed number */
    get: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Suppression
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
    /** Allow a number again */
    delete: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Suppression
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/tools': {
    /** List tools */
    get: {
      parameters: {
        query?: {
          /** Page size; without it the whole list is returned */
          limit?: number
          /** From the Link header of the previous page */
          cursor?: string
          /** Words of the name, the description or the URL */
          q?: string
          type?:
            | 'custom'
            | 'api_request'
            | 'dtmf'
            | 'end_call'
            | 'transfer_call'
            | 'send_text'
            | 'query'
            | 'calendar'
            | 'spreadsheet'
            | 'chat_workspace'
            | 'mcp'
          isActive?: boolean
          /** Order of the list; a minus means descending. Default: newest first */
          sort?: 'name' | '-name' | 'type' | '-type' | 'updatedAt' | '-updatedAt' | 'createdAt' | '-createdAt'
        }
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': ListedTool[]
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
    /** Create a tool */
    post: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            name: string
            type:
              | 'custom'
              | 'api_request'
              | 'dtmf'
              | 'end_call'
              | 'transfer_call'
              | 'send_text'
              | 'query'
              | 'calendar'
              | 'spreadsheet'
              | 'chat_workspace'
              | 'mcp'
            /** Tells the model when to use the tool */
            description?: string | null
            method?: string | null
            /** {param} is replaced by a collected parameter */
            requestUrl?: string | null
            /** JSON Schema of the parameters the model fills in */
            parameters?: Record<string, unknown> | null
            /** HTTP headers of the outgoing request; values are masked when read */
            headers?: Record<string, string> | null
            /** { type, … }: none, bearer, basic, api_key, custom_header, oauth2_client_credentials, hmac, google_service_account or google_refresh_token; secrets are masked when read */
            authorization?:
              | ({
                  type: string
                } & Record<string, unknown>)
              | null
            /** Template of the request body */
            body?: Record<string, unknown> | null
            messages?: {
              start?:
                | string
                | (
                    | string
                    | {
                        content?: string | null
                        contents?:
                          | {
                              language: string
                              content: string
                            }[]
                          | null
                        blocking?: boolean | null
                        role?: 'assistant' | 'system' | null
                        endCall?: boolean | null
                        timingMs?: number | null
                        conditions?:
                          | {
                              param: string
                              operator: 'eq' | 'neq' | 'gt' | 'gte' | 'lt' | 'lte'
                              value: string | number | boolean
                            }[]
                          | null
                      }
                  )[]
                | {
                    content?: string | null
                    contents?:
                      | {
                          language: string
                          content: string
                        }[]
                      | null
                    blocking?: boolean | null
                    role?: 'assistant' | 'system' | null
                    endCall?: boolean | null
                    timingMs?: number | null
                    conditions?:
                      | {
                          param: string
                          operator: 'eq' | 'neq' | 'gt' | 'gte' | 'lt' | 'lte'
                          value: string | number | boolean
                        }[]
                      | null
                  }
                | null
              complete?:
                | string
                | (
                    | string
                    | {
                        content?: string | null
                        contents?:
                          | {
                              language: string
                              content: string
                            }[]
                          | null
                        blocking?: boolean | null
                        role?: 'assistant' | 'system' | null
                        endCall?: boolean | null
                        timingMs?: number | null
                        conditions?:
                          | {
                              param: string
                              operator: 'eq' | 'neq' | 'gt' | 'gte' | 'lt' | 'lte'
                              value: string | number | boolean
                            }[]
                          | null
                      }
                  )[]
                | {
                    content?: string | null
                    contents?:
                      | {
                          language: string
                          content: string
                        }[]
                      | null
                    blocking?: boolean | null
                    role?: 'assistant' | 'system' | null
                    endCall?: boolean | null
                    timingMs?: number | null
                    conditions?:
                      | {
                          param: string
                          operator: 'eq' | 'neq' | 'gt' | 'gte' | 'lt' | 'lte'
                          value: string | number | boolean
                        }[]
                      | null
                  }
                | null
              failed?:
                | string
                | (
                    | string
                    | {
                        content?: string | null
                        contents?:
                          | {
                              language: string
                              content: string
                            }[]
                          | null
                        blocking?: boolean | null
                        role?: 'assistant' | 'system' | null
                        endCall?: boolean | null
                        timingMs?: number | null
                        conditions?:
                          | {
                              param: string
                              operator: 'eq' | 'neq' | 'gt' | 'gte' | 'lt' | 'lte'
                              value: string | number | boolean
                            }[]
                          | null
                      }
                  )[]
                | {
                    content?: string | null
                    contents?:
                      | {
                          language: string
                          content: string
                        }[]
                      | null
                    blocking?: boolean | null
                    role?: 'assistant' | 'system' | null
                    endCall?: boolean | null
                    timingMs?: number | null
                    conditions?:
                      | {
                          param: string
                          operator: 'eq' | 'neq' | 'gt' | 'gte' | 'lt' | 'lte'
                          value: string | number | boolean
                        }[]
                      | null
                  }
                | null
              delayed?:
                | string
                | (
                    | string
                    | {
                        content?: string | null
                        contents?:
                          | {
                              language: string
                              content: string
                            }[]
                          | null
                        blocking?: boolean | null
                        role?: 'assistant' | 'system' | null
                        endCall?: boolean | null
                        timingMs?: number | null
                        conditions?:
                          | {
                              param: string
                              operator: 'eq' | 'neq' | 'gt' | 'gte' | 'lt' | 'lte'
                              value: string | number | boolean
                            }[]
                          | null
                      }
                  )[]
                | {
                    content?: string | null
                    contents?:
                      | {
                          language: string
                          content: string
                        }[]
                      | null
                    blocking?: boolean | null
                    role?: 'assistant' | 'system' | null
                    endCall?: boolean | null
                    timingMs?: number | null
                    conditions?:
                      | {
                          param: string
                          operator: 'eq' | 'neq' | 'gt' | 'gte' | 'lt' | 'lte'
                          value: string | number | boolean
                        }[]
                      | null
                  }
                | null
            } | null
            /** Settings of this tool type */
            config?: Record<string, unknown> | null
          }
        }
      }
      responses: {
        201: {
          content: {
            'application/json': Tool
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/tools/{id}': {
    /** Get a tool, with its secrets masked */
    get: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Tool
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
    /** Delete a tool and its links */
    delete: {
      parameters: {
        query?: never
        header?: {
          /** ETags of the versions that may be changed; 412 when the record has another one */
          'If-Match'?: string
        }
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Tool
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
    /** Update a tool */
    patch: {
      parameters: {
        query?: never
        header?: {
          /** ETags of the versions that may be changed; 412 when the record has another one */
          'If-Match'?: string
        }
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            name?: string
            type?:
              | 'custom'
              | 'api_request'
              | 'dtmf'
              | 'end_call'
              | 'transfer_call'
              | 'send_text'
              | 'query'
              | 'calendar'
              | 'spreadsheet'
              | 'chat_workspace'
              | 'mcp'
            isActive?: boolean
            /** Tells the model when to use the tool */
            description?: string | null
            method?: string | null
            /** {param} is replaced by a collected parameter */
            requestUrl?: string | null
            /** JSON Schema of the parameters the model fills in */
            parameters?: Record<string, unknown> | null
            /** HTTP headers of the outgoing request; values are masked when read */
            headers?: Record<string, string> | null
            /** { type, … }: none, bearer, basic, api_key, custom_header, oauth2_client_credentials, hmac, google_service_account or google_refresh_token; secrets are masked when read */
            authorization?:
              | ({
                  type: string
                } & Record<string, unknown>)
              | null
            /** Template of the request body */
            body?: Record<string, unknown> | null
            messages?: {
              start?:
                | string
                | (
                    | string
                    | {
                        content?: string | null
                        contents?:
                          | {
                              language: string
                              content: string
                            }[]
                          | null
                        blocking?: boolean | null
                        role?: 'assistant' | 'system' | null
                        endCall?: boolean | null
                        timingMs?: number | null
                        conditions?:
                          | {
                              param: string
                              operator: 'eq' | 'neq' | 'gt' | 'gte' | 'lt' | 'lte'
                              value: string | number | boolean
                            }[]
                          | null
                      }
                  )[]
                | {
                    content?: string | null
                    contents?:
                      | {
                          language: string
                          content: string
                        }[]
                      | null
                    blocking?: boolean | null
                    role?: 'assistant' | 'system' | null
                    endCall?: boolean | null
                    timingMs?: number | null
                    conditions?:
                      | {
                          param: string
                          operator: 'eq' | 'neq' | 'gt' | 'gte' | 'lt' | 'lte'
                          value: string | number | boolean
                        }[]
                      | null
                  }
                | null
              complete?:
                | string
                | (
                    | string
                    | {
                        content?: string | null
                        contents?:
                          | {
                              language: string
                              content: string
                            }[]
                          | null
                        blocking?: boolean | null
                        role?: 'assistant' | 'system' | null
                        endCall?: boolean | null
                        timingMs?: number | null
                        conditions?:
                          | {
                              param: string
                              operator: 'eq' | 'neq' | 'gt' | 'gte' | 'lt' | 'lte'
                              value: string | number | boolean
                            }[]
                          | null
                      }
                  )[]
                | {
                    content?: string | null
                    contents?:
                      | {
                          language: string
                          content: string
                        }[]
                      | null
                    blocking?: boolean | null
                    role?: 'assistant' | 'system' | null
                    endCall?: boolean | null
                    timingMs?: number | null
                    conditions?:
                      | {
                          param: string
                          operator: 'eq' | 'neq' | 'gt' | 'gte' | 'lt' | 'lte'
                          value: string | number | boolean
                        }[]
                      | null
                  }
                | null
              failed?:
                | string
                | (
                    | string
                    | {
                        content?: string | null
                        contents?:
                          | {
                              language: string
                              content: string
                            }[]
                          | null
                        blocking?: boolean | null
                        role?: 'assistant' | 'system' | null
                        endCall?: boolean | null
                        timingMs?: number | null
                        conditions?:
                          | {
                              param: string
                              operator: 'eq' | 'neq' | 'gt' | 'gte' | 'lt' | 'lte'
                              value: string | number | boolean
                            }[]
                          | null
                      }
                  )[]
                | {
                    content?: string | null
                    contents?:
                      | {
                          language: string
                          content: string
                        }[]
                      | null
                    blocking?: boolean | null
                    role?: 'assistant' | 'system' | null
                    endCall?: boolean | null
                    timingMs?: number | null
                    conditions?:
                      | {
                          param: string
                          operator: 'eq' | 'neq' | 'gt' | 'gte' | 'lt' | 'lte'
                          value: string | number | boolean
                        }[]
                      | null
                  }
                | null
              delayed?:
                | string
                | (
                    | string
                    | {
                        content?: string | null
                        contents?:
                          | {
                              language: string
                              content: string
                            }[]
                          | null
                        blocking?: boolean | null
                        role?: 'assistant' | 'system' | null
                        endCall?: boolean | null
                        timingMs?: number | null
                        conditions?:
                          | {
                              param: string
                              operator: 'eq' | 'neq' | 'gt' | 'gte' | 'lt' | 'lte'
                              value: string | number | boolean
                            }[]
                          | null
                      }
                  )[]
                | {
                    content?: string | null
                    contents?:
                      | {
                          language: string
                          content: string
                        }[]
                      | null
                    blocking?: boolean | null
                    role?: 'assistant' | 'system' | null
                    endCall?: boolean | null
                    timingMs?: number | null
                    conditions?:
                      | {
                          param: string
                          operator: 'eq' | 'neq' | 'gt' | 'gte' | 'lt' | 'lte'
                          value: string | number | boolean
                        }[]
                      | null
                  }
                | null
            } | null
            /** Settings of this tool type */
            config?: Record<string, unknown> | null
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Tool
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/tools/{id}/agents': {
    /** List the agents that may use a tool */
    get: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Named[]
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/tools/{id}/agents/{agentId}': {
    /** Allow an agent to use a tool */
    post: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
          agentId: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Tool
          }
        }
        201: {
          content: {
            'application/json': Tool
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
    /** Stop an agent from using a tool */
    delete: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
          agentId: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Tool
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/tools/{id}/duplicate': {
    /** Copy a tool with its secrets; no agent may use the copy yet */
    post: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            name?: string | null
          }
        }
      }
      responses: {
        201: {
          content: {
            'application/json': Tool
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/tools/{id}/test': {
    /** Run a tool for real with the given arguments */
    post: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            /** Arguments as a model would fill them in */
            arguments?: Record<string, unknown> | null
            /** Values for {name} in addition to the arguments */
            variables?: Record<string, string> | null
            /** The agent whose language and time zone apply */
            agentId?: string | null
            /** Which function, for a tool that has several */
            function?: string | null
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': TestedTool
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/tools/{id}/tests': {
    /** List a tool's test runs of the last 30 days */
    get: {
      parameters: {
        query?: {
          /** Page size; without it the whole list is returned */
          limit?: number
          /** From the Link header of the previous page */
          cursor?: string
        }
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': ToolTestRun[]
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/trunk-links': {
    /** List the links between agents and trunks */
    get: {
      parameters: {
        query?: {
          /** Page size; without it the whole list is returned */
          limit?: number
          /** From the Link header of the previous page */
          cursor?: string
        }
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': TrunkLink[]
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/trunks': {
    /** List SIP trunks */
    get: {
      parameters: {
        query?: {
          /** Page size; without it the whole list is returned */
          limit?: number
          /** From the Link header of the previous page */
          cursor?: string
          /** Words of the name or the host */
          q?: string
          /** Order of the list; a minus means descending. Default: newest first */
          sort?: 'name' | '-name' | 'createdAt' | '-createdAt'
        }
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Trunk[]
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
    /** Create a SIP trunk */
    post: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            name: string
            /** Host name or IP address of the carrier */
            host?: string | null
            /** Write-only */
            password?: string | null
            isActive?: boolean | null
            directions?: ('inbound' | 'outbound')[] | null
            provider?: string | null
            /** null: from DNS, or 5060 (5061 for TLS) */
            port?: number | null
            transport?: 'udp' | 'tcp' | 'tls' | null
            /** ip: by source address; digest: by user name and password; register: digest with registration */
            authMode?: 'ip' | 'digest' | 'register' | null
            username?: string | null
            /** Digest realm; null: any */
            realm?: string | null
            /** User part of the From header; null: the caller id */
            fromUser?: string | null
            /** Host part of the From header; null: our address */
            fromDomain?: string | null
            outboundProxy?: string | null
            /** Seconds */
            registerExpires?: number | null
            allowedAddresses?: string[] | null
            allowedNumbers?: string[] | null
            numbers?: string[] | null
            /** Number shown on outbound calls */
            callerId?: string | null
            codecs?: ('PCMA' | 'PCMU' | 'G722' | 'opus')[] | null
            mediaEncryption?: 'disabled' | 'allowed' | 'required' | null
            dtmfMode?: 'auto' | 'rfc4733' | 'info' | 'inband' | null
            numberFormat?: {
              leadingPlus?: boolean | null
              /** Added before the number */
              prefix?: string | null
              /** Removed from the number */
              stripPrefix?: string | null
            } | null
            sessionTimers?: boolean | null
            optionsPing?: boolean | null
            /** Lower is tried first */
            priority?: number | null
            /** Share of the calls among trunks of one priority */
            weight?: number | null
            maxConcurrentCalls?: number | null
            /** SIP headers added to outbound INVITEs */
            headers?: Record<string, string> | null
            /** Headers of inbound INVITEs that become variables of the call: X-Customer-Id is {{sip_x_customer_id}} */
            headerVariables?: string[] | null
            /** Headers that an outbound call may be given */
            outboundHeaders?: string[] | null
          }
        }
      }
      responses: {
        201: {
          content: {
            'application/json': Trunk
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/trunks/{id}': {
    /** Get a SIP trunk */
    get: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Trunk
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
    /** Delete a SIP trunk and its links */
    delete: {
      parameters: {
        query?: never
        header?: {
          /** ETags of the versions that may be changed; 412 when the record has another one */
          'If-Match'?: string
        }
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Trunk
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
    /** Update a SIP trunk */
    patch: {
      parameters: {
        query?: never
        header?: {
          /** ETags of the versions that may be changed; 412 when the record has another one */
          'If-Match'?: string
        }
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            name?: string
            /** Host name or IP address of the carrier */
            host?: string | null
            /** Write-only */
            password?: string | null
            isActive?: boolean
            directions?: ('inbound' | 'outbound')[] | null
            provider?: string | null
            /** null: from DNS, or 5060 (5061 for TLS) */
            port?: number | null
            transport?: 'udp' | 'tcp' | 'tls'
            /** ip: by source address; digest: by user name and password; register: digest with registration */
            authMode?: 'ip' | 'digest' | 'register'
            username?: string | null
            /** Digest realm; null: any */
            realm?: string | null
            /** User part of the From header; null: the caller id */
            fromUser?: string | null
            /** Host part of the From header; null: our address */
            fromDomain?: string | null
            outboundProxy?: string | null
            /** Seconds */
            registerExpires?: number | null
            allowedAddresses?: string[] | null
            allowedNumbers?: string[] | null
            numbers?: string[] | null
            /** Number shown on outbound calls */
            callerId?: string | null
            codecs?: ('PCMA' | 'PCMU' | 'G722' | 'opus')[] | null
            mediaEncryption?: 'disabled' | 'allowed' | 'required'
            dtmfMode?: 'auto' | 'rfc4733' | 'info' | 'inband'
            numberFormat?: {
              leadingPlus?: boolean | null
              /** Added before the number */
              prefix?: string | null
              /** Removed from the number */
              stripPrefix?: string | null
            } | null
            sessionTimers?: boolean
            optionsPing?: boolean
            /** Lower is tried first */
            priority?: number | null
            /** Share of the calls among trunks of one priority */
            weight?: number | null
            maxConcurrentCalls?: number | null
            /** SIP headers added to outbound INVITEs */
            headers?: Record<string, string> | null
            /** Headers of inbound INVITEs that become variables of the call: X-Customer-Id is {{sip_x_customer_id}} */
            headerVariables?: string[] | null
            /** Headers that an outbound call may be given */
            outboundHeaders?: string[] | null
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Trunk
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/trunks/{id}/agents': {
    /** List the agents linked to a trunk */
    get: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': TrunkAgent[]
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/trunks/{id}/doctor': {
    /** Diagnose a SIP trunk: the fault and its fix */
    post: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            /** An echo-test number at the carrier; a test call is placed to it */
            echoNumber?: string | null
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': TrunkReport
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/trunks/{id}/duplicate': {
    /** Copy a SIP trunk with its password; the copy is disabled and has no links */
    post: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            name?: string | null
          }
        }
      }
      responses: {
        201: {
          content: {
            'application/json': Trunk
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/tts/provider_a/preview': {
    /** Get an audio sample of a provider_a voice */
    get: {
      parameters: {
        query?: {
          /** The first voice if omitted */
          voiceId?: string
        }
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'audio/wav': Blob
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/tts/provider_a/voices': {
    /** List the voices of provider_a */
    get: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Voice[]
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/tts/provider_b/preview': {
    /** Get an audio sample of a provider_b voice */
    get: {
      parameters: {
        query?: {
          /** The first voice if omitted */
          voiceId?: string
        }
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'audio/wav': Blob
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/tts/provider_b/stream': {
    /** Synthesise speech with provider_b */
    post: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            text: string
            voiceId: string
            speed?: number | null
          }
        }
      }
      responses: {
        200: {
          content: {
            'audio/mpeg': Blob
            'audio/wav': Blob
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/tts/provider_b/token': {
    /** Create a short-lived token for the provider_b stream */
    get: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': TtsToken
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/tts/provider_b/voices': {
    /** List the voices of provider_b */
    get: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Voice[]
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/tts/provider_c/preview': {
    /** Get an audio sample of a provider_c voice */
    get: {
      parameters: {
        query?: {
          /** The first voice if omitted */
          voiceId?: string
        }
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'audio/wav': Blob
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/tts/provider_c/stream': {
    /** Synthesise speech with provider_c */
    post: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            text: string
            voiceId: string
            modelId?: string | null
            language?: string | null
          }
        }
      }
      responses: {
        200: {
          content: {
            'audio/wav': Blob
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/tts/provider_c/voices': {
    /** List the voices of provider_c */
    get: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Voice[]
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/users': {
    /** List users (administrators) */
    get: {
      parameters: {
        query?: {
          /** Page size; without it the whole list is returned */
          limit?: number
          /** From the Link header of the previous page */
          cursor?: string
        }
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': User[]
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/users/{id}': {
    /** Get a user (administrators) */
    get: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': User
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
    /** Change the role of another user, or disable them: sessions, keys and calls end at once (administrators) */
    patch: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            role?: 'admin' | 'member'
            isActive?: boolean
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': User
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/users/{id}/password-link': {
    /** Create a one-time link with which another user sets a new password (administrators) */
    post: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            /** For a user who has no e-mail address yet */
            email?: string | null
          }
        }
      }
      responses: {
        201: {
          content: {
            'application/json': PasswordLink
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/users/{id}/remove-second-factor': {
    /** Remove the second factor of another user and end their sessions (administrators) */
    post: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': User
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/web-calls': {
    /** Create a token for one browser call */
    post: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            agentId: string
            /** Values for {{name}} in the prompt and the opening phrase */
            variables?: Record<string, string> | null
            metadata?: Record<string, unknown> | null
            /** Lifetime of the token */
            expiresInSeconds?: number | null
            /** Unsaved changes, as in PATCH /api/agents/:id, for this test alone: nothing is stored with the agent. Needs the scope agents */
            draft?: {
              name?: string
              /** The agent's instructions */
              systemPrompt?: string
              description?: string | null
              /** A voice of the ttsProvider */
              voiceId?: string | null
              isActive?: boolean
              language?: string
              direction?: 'inbound' | 'outbound' | 'both'
              ttsProvider?: 'provider_a' | 'provider_b' | 'provider_c'
              /** First sentence when the call is answered; may hold {{name}} variables */
              initialSpeech?: string | null
              /** Language-model configuration, stored as sent */
              llmConfig?:
                | ({
                    model?: string
                    temperature?: number
                  } & Record<string, unknown>)
                | null
              /** Voice configuration of provider_a: model_id, voice_settings */
              provider_aConfig?: Record<string, unknown> | null
              /** Turn-taking, speech, recording, analysis and limits */
              settings?: {
                /** Who speaks first: the agent with initialSpeech, the agent with a generated sentence, or the caller */
                firstMessage?: 'agent_first' | 'agent_first_generated' | 'caller_first' | null
                /** The caller can interrupt the agent */
                interruptible?: boolean | null
                /** Turn-taking */
                turn?: {
                  /** Shortest pause that can end a turn */
                  minPauseMs?: number | null
                  /** Pause that always ends a turn */
                  maxPauseMs?: number | null
                  /** Start generating the reply before the end of the turn is certain (preemptive generation) */
                  speculate?: boolean | null
                  /** Speech of this length interrupts the agent (barge-in) */
                  interruptAfterMs?: number | null
                  /** Words the caller must say before the agent is interrupted */
                  interruptAfterWords?: number | null
                  /** Silence after which the agent asks whether the caller is still there */
                  idleReminderMs?: number | null
                  /** Silence after which the call ends */
                  silenceHangupMs?: number | null
                  /** Longest duration of a call */
                  maxDurationMs?: number | null
                } | null
                /** Speech recognition */
                recognition?: {
                  /** Kept as it was stored, and not used: see providerId */
                  provider?: string | null
                  /** Provider account; default: the owner's, else the platform's */
                  providerId?: string | null
                  /** Model of the account */
                  model?: string | null
                  /** Accounts that recognise speech when it fails, in order; the embedded engines always come last */
                  fallbacks?:
                    | {
                        providerId: string
                        /** Default: the account's own */
                        model?: string | null
                      }[]
                    | null
                  /** Names and terms to expect */
                  hints?: string[] | null
                } | null
                /** How to pronounce names and abbreviations */
                pronunciation?:
                  | {
                      /** As written */
                      from: string
                      /** As spoken */
                      to: string
                    }[]
                  | null
                /** Speech synthesis */
                voice?: {
                  /** 1 is normal speed */
                  speed?: number | null
                  /** Provider account that has voiceId; default: ttsProvider */
                  providerId?: string | null
                  /** Accounts that speak when it fails, in order; the embedded engines always come last */
                  fallbacks?:
                    | {
                        providerId: string
                        /** Default: the account's own */
                        voiceId?: string | null
                      }[]
                    | null
                } | null
                /** Language model */
                llm?: {
                  /** Provider account; default: the owner's. llmConfig.model names its model */
                  providerId?: string | null
                  /** Accounts that reply when it fails, in order; the embedded engines always come last */
                  fallbacks?:
                    | {
                        providerId: string
                        /** Default: the account's own */
                        model?: string | null
                      }[]
                    | null
                } | null
                recording?: {
                  /** Record the calls of this agent */
                  enabled?: boolean | null
                  /** Spoken before the recording starts */
                  consentNotice?: string | null
                } | null
                /** What to do when voicemail answers an outbound call */
                voicemail?: {
                  action?: 'hangup' | 'message' | 'ignore' | null
                  /** Left after the beep */
                  message?: string | null
                } | null
                /** Post-call analysis */
                analysis?: {
                  /** Write a summary; default true */
                  summary?: boolean | null
                  /** The goal that the analysis checks */
                  success?: string | null
                  /** JSON Schema of the values to extract */
                  fields?: Record<string, unknown> | null
                } | null
                /** Phrases of the caller that end the call */
                endPhrases?: string[] | null
                /** Tool-call limits per conversation or call within 24 hours */
                tools?: {
                  /** Tool calls; default 50 */
                  maxCalls?: number | null
                  /** Tool calls with side effects; default 20 */
                  maxEffects?: number | null
                } | null
                /** The built-in function collect: takes down numbers, names, dates and e-mail addresses in calls */
                collect?: {
                  /** Offer the function to the model; default true */
                  enabled?: boolean | null
                  /** What may be collected; default all kinds */
                  kinds?:
                    | ('cpf' | 'cnpj' | 'cep' | 'phone' | 'email' | 'date' | 'money' | 'name' | 'plate' | 'number')[]
                    | null
                } | null
                /** Default values for {{name}} in the prompt and the opening phrase */
                variables?: Record<string, string> | null
              } | null
            }
          }
        }
      }
      responses: {
        201: {
          content: {
            'application/json': WebCall
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/webhooks': {
    /** List webhooks */
    get: {
      parameters: {
        query?: {
          /** Page size; without it the whole list is returned */
          limit?: number
          /** From the Link header of the previous page */
          cursor?: string
        }
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Webhook[]
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
    /** Create a webhook; its secret is returned only once */
    post: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            /** URL that receives the events, http or https, without user name */
            url: string
            /** Event types; * selects all */
            events?:
              | (
                  | '*'
                  | 'call.initiated'
                  | 'call.ringing'
                  | 'call.answered'
                  | 'call.ended'
                  | 'call.failed'
                  | 'call.analyzed'
                  | 'call.recording_ready'
                  | 'call.recording_failed'
                  | 'call.transfer_started'
                  | 'call.transfer_completed'
                  | 'call.transfer_failed'
                  | 'call.voicemail'
                  | 'call.dtmf'
                  | 'call.hook'
                  | 'call.degraded'
                  | 'call.recovered'
                  | 'conversation.started'
                  | 'conversation.message'
                  | 'conversation.ended'
                  | 'conversation.hook'
                  | 'tool.called'
                  | 'tool.completed'
                  | 'tool.failed'
                  | 'device.status_changed'
                  | 'device.text_received'
                  | 'trunk.status_changed'
                  | 'user.invited'
                  | 'user.invitation_revoked'
                  | 'user.joined'
                  | 'user.role_changed'
                  | 'user.disabled'
                  | 'user.enabled'
                  | 'user.password_link_created'
                  | 'user.password_reset'
                  | 'user.second_factor_removed'
                  | 'callback.requested'
                  | 'callback.updated'
                  | 'widget.limit_reached'
                  | 'campaign.created'
                  | 'campaign.updated'
                  | 'campaign.scheduled'
                  | 'campaign.started'
                  | 'campaign.paused'
                  | 'campaign.resumed'
                  | 'campaign.completed'
                  | 'campaign.canceled'
                  | 'campaign.warning'
                  | 'campaign.import.completed'
                  | 'campaign.contact.completed'
                  | 'campaign.attempt.in_doubt'
                  | 'suppression.created'
                  | 'suppression.removed'
                  | 'audit.chained'
                )[]
              | null
            /** Only events of these agents */
            agentIds?: string[] | null
            description?: string | null
            isActive?: boolean
          }
        }
      }
      responses: {
        201: {
          content: {
            'application/json': CreatedWebhook
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/webhooks/{id}': {
    /** Get a webhook */
    get: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Webhook
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
    /** Delete a webhook and its deliveries */
    delete: {
      parameters: {
        query?: never
        header?: {
          /** ETags of the versions that may be changed; 412 when the record has another one */
          'If-Match'?: string
        }
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Webhook
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
    /** Update a webhook */
    patch: {
      parameters: {
        query?: never
        header?: {
          /** ETags of the versions that may be changed; 412 when the record has another one */
          'If-Match'?: string
        }
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            /** URL that receives the events, http or https, without user name */
            url?: string
            /** Event types; * selects all */
            events?: (
              | '*'
              | 'call.initiated'
              | 'call.ringing'
              | 'call.answered'
              | 'call.ended'
              | 'call.failed'
              | 'call.analyzed'
              | 'call.recording_ready'
              | 'call.recording_failed'
              | 'call.transfer_started'
              | 'call.transfer_completed'
              | 'call.transfer_failed'
              | 'call.voicemail'
              | 'call.dtmf'
              | 'call.hook'
              | 'call.degraded'
              | 'call.recovered'
              | 'conversation.started'
              | 'conversation.message'
              | 'conversation.ended'
              | 'conversation.hook'
              | 'tool.called'
              | 'tool.completed'
              | 'tool.failed'
              | 'device.status_changed'
              | 'device.text_received'
              | 'trunk.status_changed'
              | 'user.invited'
              | 'user.invitation_revoked'
              | 'user.joined'
              | 'user.role_changed'
              | 'user.disabled'
              | 'user.enabled'
              | 'user.password_link_created'
              | 'user.password_reset'
              | 'user.second_factor_removed'
              | 'callback.requested'
              | 'callback.updated'
              | 'widget.limit_reached'
              | 'campaign.created'
              | 'campaign.updated'
              | 'campaign.scheduled'
              | 'campaign.started'
              | 'campaign.paused'
              | 'campaign.resumed'
              | 'campaign.completed'
              | 'campaign.canceled'
              | 'campaign.warning'
              | 'campaign.import.completed'
              | 'campaign.contact.completed'
              | 'campaign.attempt.in_doubt'
              | 'suppression.created'
              | 'suppression.removed'
              | 'audit.chained'
            )[]
            /** Only events of these agents */
            agentIds?: string[] | null
            description?: string | null
            isActive?: boolean
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Webhook
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/webhooks/{id}/deliveries': {
    /** List a webhook's deliveries, newest first */
    get: {
      parameters: {
        query?: {
          /** Page size; without it the whole list is returned */
          limit?: number
          /** From the Link header of the previous page */
          cursor?: string
          /** pending: not sent yet; failed: will be retried; dead: given up */
          status?: 'pending' | 'delivering' | 'delivered' | 'failed' | 'dead'
        }
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': WebhookDelivery[]
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/webhooks/{id}/deliveries/{deliveryId}/redeliver': {
    /** Send an event again under the same id */
    post: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
          deliveryId: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': WebhookDelivery
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/webhooks/{id}/rotate-secret': {
    /** Rotate a webhook's secret; the old one keeps signing for a day */
    post: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': CreatedWebhook
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/webhooks/{id}/test': {
    /** Send a webhook.test event now and return the response */
    post: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': TestedWebhook
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/widgets': {
    /** List website widgets */
    get: {
      parameters: {
        query?: {
          /** Page size; without it the whole list is returned */
          limit?: number
          /** From the Link header of the previous page */
          cursor?: string
        }
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Widget[]
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
    /** Create a website widget */
    post: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            agentId: string
            name: string
            /** Sites that may use the widget: exact https origins; http for localhost only. Empty: none */
            origins?: string[] | null
            /** What visitors are offered */
            channels?: ('call' | 'chat')[] | null
            /** Fields that are left out keep their value */
            appearance?: {
              /** Colour of the button and of the visitor’s messages */
              color?: string
              /** auto: as the visitor’s system */
              theme?: 'auto' | 'light' | 'dark'
              /** Corner at the bottom of the page */
              position?: 'right' | 'left'
              /** auto: as the page, or the browser */
              language?: 'auto' | 'pt' | 'en' | 'es'
              /** null: a text in the language */
              title?: string | null
              /** First line of the panel */
              greeting?: string | null
              /** On the button; null: a sign alone */
              buttonText?: string | null
              /** On the button and above the panel: the https address of an image, or the image as a data URL */
              logo?: string | null
            } | null
            /** Fields that are left out keep their value */
            limits?: {
              /** Calls and chats that one visitor address may start each minute */
              sessionsPerMinute?: number
              /** Calls in progress, and chats with a visitor’s message of the last five minutes, together; one address has 40 % at most */
              maxConcurrent?: number
              /** Calls each day (UTC); one address has a fourth at most */
              callsPerDay?: number
              /** Chat messages of visitors each day (UTC); one address has a fourth at most */
              messagesPerDay?: number
              /** A call ends after this; the agent’s own limit applies too */
              maxCallSeconds?: number
            } | null
            isActive?: boolean
          }
        }
      }
      responses: {
        201: {
          content: {
            'application/json': Widget
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/widgets/{id}': {
    /** Get a website widget */
    get: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Widget
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
    /** Delete a website widget; its calls and conversations stay */
    delete: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Widget
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
    /** Update a website widget */
    patch: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            agentId?: string
            name?: string
            /** Sites that may use the widget: exact https origins; http for localhost only. Empty: none */
            origins?: string[]
            /** What visitors are offered */
            channels?: ('call' | 'chat')[]
            /** Fields that are left out keep their value */
            appearance?: {
              /** Colour of the button and of the visitor’s messages */
              color?: string
              /** auto: as the visitor’s system */
              theme?: 'auto' | 'light' | 'dark'
              /** Corner at the bottom of the page */
              position?: 'right' | 'left'
              /** auto: as the page, or the browser */
              language?: 'auto' | 'pt' | 'en' | 'es'
              /** null: a text in the language */
              title?: string | null
              /** First line of the panel */
              greeting?: string | null
              /** On the button; null: a sign alone */
              buttonText?: string | null
              /** On the button and above the panel: the https address of an image, or the image as a data URL */
              logo?: string | null
            }
            /** Fields that are left out keep their value */
            limits?: {
              /** Calls and chats that one visitor address may start each minute */
              sessionsPerMinute?: number
              /** Calls in progress, and chats with a visitor’s message of the last five minutes, together; one address has 40 % at most */
              maxConcurrent?: number
              /** Calls each day (UTC); one address has a fourth at most */
              callsPerDay?: number
              /** Chat messages of visitors each day (UTC); one address has a fourth at most */
              messagesPerDay?: number
              /** A call ends after this; the agent’s own limit applies too */
              maxCallSeconds?: number
            }
            isActive?: boolean
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Widget
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
  '/api/widgets/{id}/usage': {
    /** Get a widget's usage of today beside its limits */
    get: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': WidgetUsage
          }
        }
        '4XX': {
          content: {
            'application/json': ErrorBody
          }
        }
        '5XX': {
          content: {
            'application/json': ErrorBody
          }
        }
      }
    }
  }
}
