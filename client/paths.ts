// Made from the OpenAPI document by `npm run client`. Not edited by hand.

export type ActiveCall = {
  callId: string
  /** The same as callId; names the recording */
  sessionId: string
  conversationId: string | null
  /** null when a call was refused before its agent was known */
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
  /** From the answer to the end, or to now */
  durationSeconds: number | null
  metadata: Record<string, unknown> | null
}

export type Agent = {
  id: string
  name: string
  description: string | null
  /** Defines the behaviour */
  systemPrompt: string
  /** Depends on ttsProvider */
  voiceId: string | null
  isActive: boolean
  direction: 'inbound' | 'outbound' | 'both'
  language: string
  ttsProvider: 'provider_a' | 'provider_b' | 'provider_c'
  /** Opening phrase when answering */
  initialSpeech: string | null
  llmConfig: Record<string, unknown> | null
  provider_aConfig: Record<string, unknown> | null
  settings: Record<string, unknown> | null
  createdAt: string
  updatedAt: string
}

export type Analysis = {
  summary: string | null
  /** Whether it did what `settings.analysis.success` asks for */
  success: boolean | null
  successReason: string | null
  /** Valid by `settings.analysis.fields` */
  fields: Record<string, unknown> | null
  /** The model; `rules` where there is none: sentences of the conversation, no judgement */
  by: string
  at: string
}

export type ApiKey = {
  id: string
  name: string
  /** Leading part of the key; all that is shown after its creation */
  prefix: string
  /** null is full access */
  scopes: ('agents' | 'dids' | 'conversations' | 'calls' | 'tools' | 'tts' | 'gateway')[] | null
  /** Requests per minute */
  rateLimit: number
  expiresAt: string | null
  createdAt: string
  lastUsedAt: string | null
  isActive: boolean
}

export type Call = {
  id: string
  callId: string
  /** The same as callId; names the recording */
  sessionId: string
  conversationId: string | null
  /** null when a call was refused before its agent was known */
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
  /** From the answer to the end, or to now */
  durationSeconds: number | null
  metadata: Record<string, unknown> | null
  endedAt: string | null
  /** Why it ended; a call of an older version may have another */
  endReason:
    | 'agent_ended'
    | 'agent_inactive'
    | 'busy'
    | 'caller_hangup'
    | 'canceled_by_api'
    | 'concurrency_limit'
    | 'end_phrase'
    | 'internal_error'
    | 'invalid_number'
    | 'llm_error'
    | 'max_duration'
    | 'media_timeout'
    | 'no_answer'
    | 'node_shutdown'
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
  /** The reason in words */
  endDetail: string | null
  sipCode: number | null
  hangupBy: 'caller' | 'agent' | 'system' | 'carrier' | null
  answeredBy: 'human' | 'machine' | 'ivr' | 'unknown' | null
  variables: Record<string, unknown> | null
  /** It can be downloaded, whole or in part */
  hasRecording: boolean
  /** recording: being written; partial: its end is missing; failed: there is no file */
  recordingStatus: 'none' | 'recording' | 'complete' | 'partial' | 'failed'
  /** Why it is partial or failed */
  recordingError: 'disk_full' | 'disk_slow' | 'not_writable' | 'process_ended' | null
  /** The node that runs the call, or ran it and has its recording (NODE_NAME) */
  nodeId?: string | null
}

export type Conversation = {
  id: string
  agentId: string
  title: string | null
  status: 'active' | 'ended' | 'failed'
  startedAt: string
  endedAt: string | null
  /** As they were given when it was begun; null in calls */
  variables: Record<string, unknown> | null
  analysis: Analysis | null
  /** null while the conversation goes on */
  analysisStatus: 'pending' | 'processing' | 'done' | 'failed' | 'skipped' | null
}

export type CreatedApiKey = {
  id: string
  name: string
  /** Leading part of the key; all that is shown after its creation */
  prefix: string
  /** null is full access */
  scopes: ('agents' | 'dids' | 'conversations' | 'calls' | 'tools' | 'tts' | 'gateway')[] | null
  /** Requests per minute */
  rateLimit: number
  expiresAt: string | null
  createdAt: string
  /** The full key; it is shown only now */
  key: string
}

export type CreatedWebhook = {
  id: string
  url: string
  /** Which types; * is all of them */
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
    | 'conversation.started'
    | 'conversation.message'
    | 'conversation.ended'
    | 'tool.called'
    | 'tool.completed'
    | 'tool.failed'
    | 'device.status_changed'
    | 'device.text_received'
    | 'trunk.status_changed'
  )[]
  /** Only what concerns these agents */
  agentIds: string[] | null
  /** The device whose webhookUrl this is; it changes with the device */
  deviceId: string | null
  description: string | null
  isActive: boolean
  createdAt: string
  updatedAt: string
  /** whsec_… It is told this once: it verifies the signatures */
  secret: string
}

export type Device = {
  id: string
  /** The same as id */
  deviceUuid: string
  /** Short and readable */
  deviceId: string
  name: string | null
  /** Names the device for dialling within this account; opens nothing by itself */
  token: string
  phone: string | null
  displayName: string | null
  /** Who makes it reachable: this server itself, WhatsApp, or a gateway elsewhere */
  driver: 'embedded' | 'whatsapp' | 'remote'
  status: 'provisioning' | 'waiting_qr' | 'connected' | 'disconnected' | 'error' | 'disabled'
  connected: boolean
  /** Data URL (PNG) while the device waits to be linked; null in lists, see its /qr */
  qrCode: string | null
  qrExpiresAt: string | null
  /** Why a phone elsewhere cannot use the code, such as an address that is loopback */
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
  /** E.164, the full number */
  phoneNumber: string
  /** Dialling code without plus */
  countryCode: string
  provider: string
  status: 'active' | 'inactive'
  /** The agent it is bound to */
  agentId: string | null
  createdAt: string
}

export type DocumentWithPassages = {
  id: string
  knowledgeBaseId: string
  name: string
  contentType: 'text/plain' | 'text/markdown' | 'text/html' | 'text/csv' | 'application/pdf'
  /** Of the text that was found in it */
  letters: number
  passageCount: number
  /** Its words can be found at once, also while vectors or questions are still being made, or could not be */
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
  /** Of those calls, and in texts */
  conversations: number
  /** Single texts of devices, in and out */
  texts: number
  /** Calls and conversations that are not over, and stay */
  underWay: number
  /** Numbers on file that end alike, such as the same one without its country: they stay */
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

export type KnowledgeBase = {
  id: string
  name: string
  description: string | null
  /** Of its texts; null: guessed for each passage */
  language: string | null
  /** Where a language model is configured: it writes questions for each passage, which help to find it */
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
  /** Of the text that was found in it */
  letters: number
  passageCount: number
  /** Its words can be found at once, also while vectors or questions are still being made, or could not be */
  status: 'indexing' | 'ready' | 'failed'
  error: string | null
  createdAt: string
  updatedAt: string
}

export type KnowledgePassage = {
  number: number
  /** The headings above it, from the outermost */
  heading: string
  content: string
  questions: string[]
  hasVector: boolean
}

export type LinkedTrunk = {
  trunkId: string
  trunkType: 'inbound' | 'outbound'
  /** The latest number of this link */
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

export type ListedRehearsal = {
  id: string
  name: string
  agentId: string
  mode: 'text' | 'audio'
  replayOf: string | null
  status: 'running' | 'passed' | 'failed' | 'error'
  checksPassed: number
  checksFailed: number
  /** Of the call, in its own time */
  durationMs: number | null
  startedAt: string
  endedAt: string | null
}

export type ListedTool = {
  id: string
  name: string
  /** Tells the agent when to use the tool */
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
  /** {param} marks a value filled from collected parameters */
  requestUrl: string | null
  isActive: boolean
  createdAt: string
}

export type Message = {
  id: string
  type: 'user' | 'agent' | 'system'
  content: string
  timestamp: string
}

export type ModelState = {
  /** null: the built-in rule agent answers, which is no language model */
  provider: string | null
  name: string | null
  fallback: string | null
  /** What an agent may choose; null: any name */
  models: string[] | null
  /** The model that finds documents by meaning */
  embeddings: string | null
}

export type Named = {
  id: string
  name: string
}

export type Overview = {
  /** Ringing or talking */
  callsNow: number
  /** Outbound calls that wait for their turn */
  waitingCalls: number
  today: {
    calls: number
    answered: number
    /** Ended by an error; busy and not answered are none */
    failed: number
    /** From answer to end, or to now */
    minutes: number
    /** Of an answered call; null: there was none */
    averageSeconds: number | null
    /** From a caller's last sound to the agent's first, in the last 200 calls */
    medianResponseMs: number | null
  }
  /** 14 days, the oldest first, today the last */
  days: {
    date: string
    calls: number
    answered: number
    minutes: number
  }[]
  /** The steps to the first call, in order */
  setup: SetupStep[]
}

export type Platform = {
  /** How the outside reaches this server, where the operator has told */
  publicUrl: string | null
  voiceProviders: {
    provider_a: string
    provider_b: string
    provider_c: string
  }
  /** The model of an agent that names none; null: the rule agent answers */
  model: string | null
  /** What an agent may choose; null: any name */
  models: string[] | null
  /** The kinds of devices that this user may make */
  gatewayDrivers: string[]
  budgets: {
    texts: {
      /** A day (UTC); null: there is none */
      limit: number | null
      /** Today */
      used: number
    }
    calls: {
      /** A day (UTC); null: there is none */
      limit: number | null
      /** Today */
      used: number
    }
    ttsCharacters: {
      /** A day (UTC); null: there is none */
      limit: number | null
      /** Today */
      used: number
    }
  }
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
  /** Of the call, in its own time */
  durationMs: number | null
  startedAt: string
  endedAt: string | null
  /** Why it could not be rehearsed to its end */
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
    /** false: the script does not name it, and it got a neutral answer */
    isScripted: boolean
  }[]
  turns: {
    number: number
    /** What the caller said */
    caller: string | null
    /** What was heard of the answer */
    agent: string | null
    /** The caller spoke over the answer */
    isCut: boolean
    /** The caller's first sound, in ms of the recording */
    callerFromMs: number | null
    /** His last, in ms of the recording */
    callerToMs: number | null
    /** The agent's first sound that was heard, in ms of the recording */
    agentFromMs: number | null
    /** Its last, in ms of the recording */
    agentToMs: number | null
    latency: {
      /** Until it was known that the voice had ended */
      vadMs: number | null
      /** Until its words were known */
      recognitionMs: number | null
      /** What was left of the pause that ends a turn */
      endOfTurnMs: number | null
      /** To the model's first word */
      modelMs: number | null
      /** Of that, waiting for tools, which is not in modelMs */
      toolMs: number | null
      /** To the first sound */
      synthesisMs: number | null
      /** Until that was sent */
      pacingMs: number | null
      /** From the caller's last sound to the agent's first */
      totalMs: number | null
    }
    atMs: number
  }[]
  endReason: string | null
  stepsPlayed: number
  comparison:
    | {
        /** Of the call that was replayed */
        turn: number
        caller: string | null
        before: string | null
        after: string | null
        beforeMs: number | null
        afterMs: number | null
        isSame: boolean
        /** 1: the same words; 0: none in common */
        similarity: number
      }[]
    | null
}

export type SaidWords = {
  callId: string
  /** queued: somebody speaks */
  status: 'said' | 'queued'
}

export type SearchResult = {
  by: 'words' | 'words_and_meaning'
  /** Why the meaning was not used although it is configured */
  note: string | null
  passages: {
    /** 0 to 1 */
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
  content: string
  timestamp: string
  reply?: Message
  /** Who thought for the agent */
  repliedBy?: {
    name: string
    /** False: the built-in rule agent */
    isModel: boolean
  }
}

export type Setting = {
  name: string
  /** What holds, given or by default; always null of a secret */
  value: string | null
  isSecret: boolean
  /** It is given; else the default holds */
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
    /** It speaks HTTPS itself */
    isTls: boolean
    /** A proxy may tell where requests come from, and that they came by HTTPS */
    trustsProxy: boolean
    publicUrl: string | null
  }
}

export type SetupStep = {
  step: 'agent' | 'voice' | 'model' | 'phone' | 'number' | 'call'
  isDone: boolean
  /** How it stands, in one word */
  state: 'missing' | 'done' | 'natural' | 'preparing' | 'small' | 'vendor' | 'rules' | 'off' | 'waiting'
  /** Of what is being prepared */
  percent: number | null
  /** The same in words */
  detail: string
}

export type SheetRow = {
  id: string
  /** Grows from row to row; it stays when others are removed */
  number: number
  /** By the names of the columns. A date is text: 2026-03-01 or 2026-03-01T14:30:00 */
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
  /** Address and port of the other side */
  remote: string
  summary: string
  /** The message as it was, secrets masked */
  message: string
}

export type SipLadder = {
  callId: string
  entries: SipEntry[]
  /** The same, drawn as text */
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

export type TestedTool = {
  /** The Idempotency-Key that was sent; null when nothing was */
  id: string | null
  /** The name under which a model is offered it */
  function: string
  status: 'done' | 'failed' | 'in_doubt' | 'refused'
  /** What the model would be given */
  result: string | null
  error: string | null
  durationMs: number
  /** The last HTTP request that was sent, its secrets masked */
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
  /** What the far side answered; null: it did not */
  statusCode: number | null
  error: string | null
  /** The beginning of its answer */
  response: string | null
  durationMs: number | null
}

export type Tool = {
  id: string
  name: string
  /** Tells the agent when to use the tool */
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
  /** {param} marks a value filled from collected parameters */
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
  /** Also the Idempotency-Key that was sent along */
  id: string
  /** null: the model asked for a tool that there is not */
  toolId: string | null
  /** Of the function, as the model knows it */
  name: string
  /** What the model filled in */
  arguments: unknown
  /** in_doubt: it was sent, and nobody knows whether it was done. refused: nothing was sent */
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
  /** Name or address of the far side */
  host: string | null
  hasPassword: boolean
  directions: ('inbound' | 'outbound')[]
  provider: string | null
  port: number | null
  transport: 'udp' | 'tcp' | 'tls'
  authMode: 'ip' | 'digest' | 'register'
  username: string | null
  realm: string | null
  fromUser: string | null
  fromDomain: string | null
  outboundProxy: string | null
  registerExpires: number
  allowedAddresses: string[]
  allowedNumbers: string[]
  numbers: string[]
  callerId: string | null
  codecs: ('PCMA' | 'PCMU' | 'G722' | 'opus')[]
  mediaEncryption: 'disabled' | 'allowed' | 'required'
  dtmfMode: 'auto' | 'rfc4733' | 'info' | 'inband'
  numberFormat: {
    leadingPlus?: boolean | null
    prefix?: string | null
    stripPrefix?: string | null
  }
  sessionTimers: boolean
  optionsPing: boolean
  priority: number
  weight: number
  maxConcurrentCalls: number | null
  headers: Record<string, string>
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
  /** That came with its links */
  phoneNumbers: string[]
}

export type TrunkReport = {
  trunkId: string
  ok: boolean
  /** Such as wrong_password or one_way_audio; null when all is well */
  cause: string | null
  /** The cause and the cure */
  sentence: string
  checks: {
    name: string
    status: 'ok' | 'warning' | 'failed' | 'skipped'
    detail: string
  }[]
  entries: SipEntry[]
  /** The SIP messages, drawn as text */
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
  /** What the caller said */
  caller: string | null
  /** What was heard of the answer */
  agent: string | null
  /** The caller spoke over the answer */
  isCut: boolean
  /** The caller's first sound, in ms of the recording */
  callerFromMs: number | null
  /** His last, in ms of the recording */
  callerToMs: number | null
  /** The agent's first sound that was heard, in ms of the recording */
  agentFromMs: number | null
  /** Its last, in ms of the recording */
  agentToMs: number | null
  latency: {
    /** Until it was known that the voice had ended */
    vadMs: number | null
    /** Until its words were known */
    recognitionMs: number | null
    /** What was left of the pause that ends a turn */
    endOfTurnMs: number | null
    /** To the model's first word */
    modelMs: number | null
    /** Of that, waiting for tools, which is not in modelMs */
    toolMs: number | null
    /** To the first sound */
    synthesisMs: number | null
    /** Until that was sent */
    pacingMs: number | null
    /** From the caller's last sound to the agent's first */
    totalMs: number | null
  }
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
  /** What is heard of an agent now */
  speaking: 'natural' | 'small' | 'vendor' | 'none'
  /** How far the natural voice is, while it gets ready */
  preparingPercent: number | null
  /** Why there is no natural voice though it was wanted */
  trouble: string | null
  providers: {
    provider_a: string
    provider_b: string
    provider_c: string
  }
  /** Who hears what callers say */
  recognition: string
  hasTurnModel: boolean
}

export type WebCall = {
  /** Opens one call with this agent, once */
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
  /** Which types; * is all of them */
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
    | 'conversation.started'
    | 'conversation.message'
    | 'conversation.ended'
    | 'tool.called'
    | 'tool.completed'
    | 'tool.failed'
    | 'device.status_changed'
    | 'device.text_received'
    | 'trunk.status_changed'
  )[]
  /** Only what concerns these agents */
  agentIds: string[] | null
  /** The device whose webhookUrl this is; it changes with the device */
  deviceId: string | null
  description: string | null
  isActive: boolean
  createdAt: string
  updatedAt: string
}

export type WebhookDelivery = {
  id: string
  webhookId: string
  /** Sent as webhook-id */
  eventId: string
  eventType: string
  /** pending: not sent yet. failed: will be tried again. dead: will not */
  status: 'pending' | 'delivering' | 'delivered' | 'failed' | 'dead'
  attempts: number
  nextAttemptAt: string | null
  /** What the far side answered; null: it did not */
  statusCode: number | null
  error: string | null
  /** The beginning of its answer */
  response: string | null
  durationMs: number | null
  createdAt: string
  lastAttemptAt: string | null
  deliveredAt: string | null
}

export interface paths {
  '/api/agents': {
    /** Lists the agents */
    get: {
      parameters: {
        query?: {
          limit?: number
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
    /** Makes an agent */
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
            /** Defines the behaviour */
            systemPrompt: string
            description?: string | null
            /** Depends on ttsProvider */
            voiceId?: string | null
            language?: string | null
            direction?: 'inbound' | 'outbound' | 'both' | null
            ttsProvider?: 'provider_a' | 'provider_b' | 'provider_c' | null
            /** Opening phrase when answering */
            initialSpeech?: string | null
            /** Language-model configuration, kept as it is sent */
            llmConfig?:
              | ({
                  model?: string
                  temperature?: number
                } & Record<string, unknown>)
              | null
            /** Voice configuration of provider_a: model_id, voice_settings */
            provider_aConfig?: Record<string, unknown> | null
            settings?: {
              firstMessage?: 'agent_first' | 'agent_first_generated' | 'caller_first' | null
              interruptible?: boolean | null
              turn?: {
                minPauseMs?: number | null
                maxPauseMs?: number | null
                speculate?: boolean | null
                interruptAfterMs?: number | null
                interruptAfterWords?: number | null
                idleReminderMs?: number | null
                silenceHangupMs?: number | null
                maxDurationMs?: number | null
              } | null
              recognition?: {
                provider?: string | null
                hints?: string[] | null
              } | null
              pronunciation?:
                | {
                    from: string
                    to: string
                  }[]
                | null
              voice?: {
                speed?: number | null
              } | null
              recording?: {
                enabled?: boolean | null
                consentNotice?: string | null
              } | null
              voicemail?: {
                action?: 'hangup' | 'message' | 'ignore' | null
                message?: string | null
              } | null
              analysis?: {
                summary?: boolean | null
                success?: string | null
                fields?: Record<string, unknown> | null
              } | null
              endPhrases?: string[] | null
              /** Tool calls within 24 hours of one conversation or call: 50, of which 20 may change something */
              tools?: {
                maxCalls?: number | null
                maxEffects?: number | null
              } | null
              /** Defaults for {{name}} in the prompt and the opening phrase */
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
    /** Switches an agent on or off */
    patch: {
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
  }
  '/api/agents/{id}': {
    /** One agent */
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
    /** Removes an agent with its conversations, messages and recordings */
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
    /** Changes the fields that are sent */
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
            /** Defines the behaviour */
            systemPrompt?: string
            description?: string | null
            /** Depends on ttsProvider */
            voiceId?: string | null
            isActive?: boolean
            language?: string
            direction?: 'inbound' | 'outbound' | 'both'
            ttsProvider?: 'provider_a' | 'provider_b' | 'provider_c'
            /** Opening phrase when answering */
            initialSpeech?: string | null
            /** Language-model configuration, kept as it is sent */
            llmConfig?:
              | ({
                  model?: string
                  temperature?: number
                } & Record<string, unknown>)
              | null
            /** Voice configuration of provider_a: model_id, voice_settings */
            provider_aConfig?: Record<string, unknown> | null
            settings?: {
              firstMessage?: 'agent_first' | 'agent_first_generated' | 'caller_first' | null
              interruptible?: boolean | null
              turn?: {
                minPauseMs?: number | null
                maxPauseMs?: number | null
                speculate?: boolean | null
                interruptAfterMs?: number | null
                interruptAfterWords?: number | null
                idleReminderMs?: number | null
                silenceHangupMs?: number | null
                maxDurationMs?: number | null
              } | null
              recognition?: {
                provider?: string | null
                hints?: string[] | null
              } | null
              pronunciation?:
                | {
                    from: string
                    to: string
                  }[]
                | null
              voice?: {
                speed?: number | null
              } | null
              recording?: {
                enabled?: boolean | null
                consentNotice?: string | null
              } | null
              voicemail?: {
                action?: 'hangup' | 'message' | 'ignore' | null
                message?: string | null
              } | null
              analysis?: {
                summary?: boolean | null
                success?: string | null
                fields?: Record<string, unknown> | null
              } | null
              endPhrases?: string[] | null
              /** Tool calls within 24 hours of one conversation or call: 50, of which 20 may change something */
              tools?: {
                maxCalls?: number | null
                maxEffects?: number | null
              } | null
              /** Defaults for {{name}} in the prompt and the opening phrase */
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
  '/api/agents/{id}/link-trunk': {
    /** Links a trunk to an agent; a phoneNumber becomes a DID of that agent */
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
            /** E.164, the full number */
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
    /** Unlinks a trunk from an agent */
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
    /** The trunks of an agent */
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
    /** The tools of an agent */
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
    /** Lists the keys */
    get: {
      parameters: {
        query?: {
          limit?: number
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
    /** Makes a key for the same user */
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
            /** null is full access */
            scopes?: ('agents' | 'dids' | 'conversations' | 'calls' | 'tools' | 'tts' | 'gateway')[] | null
            rateLimit?: number | null
            /** Left out: never expires */
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
  '/api/api-keys/{id}': {
    /** Revokes a key, permanently */
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
  '/api/calls': {
    /** Lists the calls */
    get: {
      parameters: {
        query?: {
          limit?: number
          cursor?: string
          agentId?: string
          /** The call whose transcript this conversation is */
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
          /** true: the calls in progress, in both directions; false: those that ended */
          live?: boolean
          /** Started at this time or later */
          from?: string
          /** Started before this time */
          to?: string
          /** Part of a number or of what was said */
          q?: string
        }
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          content: {
            'application/json': Call[]
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
    /** Has an agent call a number */
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
            /** E.164, the full number */
            toNumber: string
            agentId: string
            /** Values for {{name}} in the prompt and the opening phrase, and for {name} in tools */
            variables?: Record<string, string> | null
            metadata?: Record<string, unknown> | null
            fromDeviceTokens?: string[] | null
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
    /** The outbound calls in progress */
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
    /** One call */
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
    /** Removes a call with its recording and transcript */
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
  '/api/calls/{id}/hangup': {
    /** Ends a call */
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
    /** Has the agent of a live call say something */
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
            /** Said by the agent, in its voice */
            text: string
            /** At once, whoever speaks; false: when the agent has finished, or the caller his turn */
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
    /** The SIP messages of a call */
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
    /** What the tools did in a call, oldest first */
    get: {
      parameters: {
        query?: {
          limit?: number
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
    /** Gives a live call to a number, a SIP address or another agent */
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
            /** A number, or a SIP address */
            to?: string | null
            /** Instead of `to`: another agent takes over */
            agentId?: string | null
            method?: 'refer' | 'bridge' | null
            /** Said to who answers, before the two are joined; a note for an agent */
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
    /** The turns of a call, and how long each took */
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
  '/api/conversations': {
    /** Lists the conversations */
    get: {
      parameters: {
        query?: {
          limit?: number
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
            'application/json': Conversation[]
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
    /** Ends an active conversation */
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
    /** Removes all finished calls, conversations and texts with a number */
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
            /** As it is written: +5511999990000, or with spaces, brackets and dashes */
            number: string
            /** Counts, and removes nothing */
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
    /** Adds a message to an active conversation, and lets the agent answer it where that is asked for */
    post: {
      parameters: {
        query?: {
          /** Lets the agent answer. With `Accept: text/event-stream` its words come as they are made */
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
    /** The messages of a conversation, oldest first */
    get: {
      parameters: {
        query?: {
          limit?: number
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
    /** Begins a conversation with an agent */
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
    /** One conversation */
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
    /** Removes a conversation that is over: messages, tool calls, analysis, events; and its call, if it has one */
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
    /** Looks back once more on a conversation that is over */
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
    /** What the tools did in a conversation, oldest first */
    get: {
      parameters: {
        query?: {
          limit?: number
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
    /** Lists the numbers */
    get: {
      parameters: {
        query?: {
          limit?: number
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
    /** Registers a number */
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
            /** E.164, the full number */
            phoneNumber: string
            /** Dialling code without plus */
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
    /** One number */
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
    /** Removes a number */
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
    /** Binds a number to an agent, or switches it */
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
  '/api/events': {
    /** What happens, as it happens: those events that the key has the scopes for */
    get: {
      parameters: {
        query?: {
          /** Only these, with commas between them: call.answered,call.ended */
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
    /** Has an agent call a number through a device */
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
            /** E.164, the full number */
            toNumber: string
            agentId: string
            /** Values for {{name}} in the prompt and the opening phrase, and for {name} in tools */
            variables?: Record<string, string> | null
            metadata?: Record<string, unknown> | null
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
    /** The recording of a finished call */
    get: {
      parameters: {
        query?: {
          /** both: stereo, the caller left, the agent right; caller, agent: that side alone; mixed: both in one channel */
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
    /** The saved account, without its password */
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
    /** Saves the user's gateway account */
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
    /** Forgets the saved account */
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
    /** Whether the device is connected */
    get: {
      parameters: {
        query?: {
          /** Another device than the default one, by id or deviceId */
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
    /** Lists the devices */
    get: {
      parameters: {
        query?: {
          limit?: number
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
    /** Makes a device */
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
            /** E.164, the full number */
            phone?: string | null
            maxConcurrentCalls?: number | null
            webhookUrl?: string | null
            /** Who makes it reachable: this server itself, WhatsApp, or a gateway elsewhere */
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
    /** One device */
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
    /** Removes a device */
    delete: {
      parameters: {
        query?: {
          /** Also where its gateway cannot be told of it */
          force?: boolean
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
    /** Changes a device */
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
            name?: string | null
            displayName?: string | null
            agentId?: string | null
            /** E.164, the full number */
            phone?: string | null
            maxConcurrentCalls?: number | null
            webhookUrl?: string | null
            inboundEnabled?: boolean
            outboundEnabled?: boolean
            recordCalls?: boolean
            /** Takes the device out of use, or back into it */
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
    /** The status of a device as it changes */
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
    /** The QR code that links the device */
    get: {
      parameters: {
        query?: {
          /** text: what the code says */
          format?: 'png' | 'svg' | 'text'
          /** link: a URL that sets a phone up, once. sip: the account itself with its password, as sip:user:password@host */
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
    /** Lets go of what is linked */
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
    /** Makes the device with its SIP routes, or returns the one there is */
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
    /** What a phone needs to register */
    get: {
      parameters: {
        query?: {
          /** Another device than the default one, by id or deviceId */
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
    /** Gives the device a new SIP password */
    post: {
      parameters: {
        query?: {
          /** Another device than the default one, by id or deviceId */
          deviceId?: string
        }
        header?: never
        path?: never
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            /** Another device than the default one, by id or deviceId */
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
  '/api/knowledge-bases': {
    /** Lists the knowledge bases */
    get: {
      parameters: {
        query?: {
          limit?: number
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
    /** Makes a knowledge base */
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
            /** Of its texts; null: guessed for each passage */
            language?: string | null
            /** Where a language model is configured: it writes questions for each passage, which help to find it */
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
    /** One knowledge base */
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
    /** Removes a knowledge base with all its documents */
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
    /** Changes the fields that are sent */
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
            description?: string | null
            /** Of its texts; null: guessed for each passage */
            language?: string | null
            /** Where a language model is configured: it writes questions for each passage, which help to find it */
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
    /** Lists the documents */
    get: {
      parameters: {
        query?: {
          limit?: number
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
    /** Files a document: as JSON, or as the body itself with its own content type and ?name= */
    post: {
      parameters: {
        query?: {
          /** Of a document that is sent as the body itself */
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
    /** One document with its passages */
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
    /** Puts another text in the place of a document */
    put: {
      parameters: {
        query?: {
          /** Of a document that is sent as the body itself */
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
    /** Removes a document */
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
    /** The passages that answer a question best */
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
            /** Left out: 0.33 by words, 0.1 by meaning */
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
    /** The tools that look into a knowledge base, and their agents */
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
  '/api/overview': {
    /** Calls now, today and in the last days, and what is not set up yet */
    get: {
      parameters: {
        query?: {
          /** Whose days, such as America/Sao_Paulo */
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
  '/api/platform': {
    /** What this platform offers to the user of the key */
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
  '/api/rehearsals': {
    /** Lists the rehearsals, without what was said */
    get: {
      parameters: {
        query?: {
          limit?: number
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
    /** Lets a scripted caller, or that of a call, talk to an agent; answers when it is over, or after a minute */
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
            /** Laid over the stored agent for this rehearsal; nothing is saved */
            agent?: {
              name?: string
              /** Defines the behaviour */
              systemPrompt?: string
              /** Depends on ttsProvider */
              voiceId?: string | null
              language?: string
              ttsProvider?: 'provider_a' | 'provider_b' | 'provider_c'
              /** Opening phrase when answering */
              initialSpeech?: string | null
              /** Language-model configuration, kept as it is sent */
              llmConfig?:
                | ({
                    model?: string
                    temperature?: number
                  } & Record<string, unknown>)
                | null
              /** Voice configuration of provider_a: model_id, voice_settings */
              provider_aConfig?: Record<string, unknown> | null
              settings?: {
                firstMessage?: 'agent_first' | 'agent_first_generated' | 'caller_first' | null
                interruptible?: boolean | null
                turn?: {
                  minPauseMs?: number | null
                  maxPauseMs?: number | null
                  speculate?: boolean | null
                  interruptAfterMs?: number | null
                  interruptAfterWords?: number | null
                  idleReminderMs?: number | null
                  silenceHangupMs?: number | null
                  maxDurationMs?: number | null
                } | null
                recognition?: {
                  provider?: string | null
                  hints?: string[] | null
                } | null
                pronunciation?:
                  | {
                      from: string
                      to: string
                    }[]
                  | null
                voice?: {
                  speed?: number | null
                } | null
                recording?: {
                  enabled?: boolean | null
                  consentNotice?: string | null
                } | null
                voicemail?: {
                  action?: 'hangup' | 'message' | 'ignore' | null
                  message?: string | null
                } | null
                analysis?: {
                  summary?: boolean | null
                  success?: string | null
                  fields?: Record<string, unknown> | null
                } | null
                endPhrases?: string[] | null
                /** Tool calls within 24 hours of one conversation or call: 50, of which 20 may change something */
                tools?: {
                  maxCalls?: number | null
                  maxEffects?: number | null
                } | null
                /** Defaults for {{name}} in the prompt and the opening phrase */
                variables?: Record<string, string> | null
              } | null
            } | null
            name?: string | null
            /** A call whose caller is heard again */
            replayOf?: string | null
            mode?: 'text' | 'audio' | null
            /** In audio mode: whether the agent really speaks */
            agentVoice?: 'scripted' | 'real' | null
            direction?: 'inbound' | 'outbound' | null
            variables?: Record<string, string> | null
            steps?:
              | {
                  says?: string | null
                  /** How long it takes to say; by its letters when absent */
                  ms?: number | null
                  /** A WAV file in base64, said instead (audio mode) */
                  audio?: string | null
                  /** Silence of the caller */
                  waits?: number | null
                  /** Keys */
                  presses?: string | null
                  /** Sound without words */
                  noise?: number | null
                  hangsUp?: boolean | null
                  /** So long after the step before, whatever the agent does */
                  afterMs?: number | null
                  /** So long after the agent has begun to speak */
                  interruptsAfterMs?: number | null
                }[]
              | null
            /** What each tool answers; those not named get a neutral answer. None is really run */
            tools?: Record<
              string,
              {
                /** What the tool answers: a text, or any JSON */
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
                }[]
              | null
            /** What stages are said to take, instead of what they took */
            timing?: {
              recognitionMs?: number | null
              modelMs?: number | null
              synthesisMs?: number | null
            } | null
            /** Background noise (audio mode) */
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
    /** One rehearsal and what came of it */
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
    /** Removes a rehearsal; one that runs is stopped */
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
  '/api/settings': {
    /** What the operator has set, without secrets */
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
  '/api/spreadsheets': {
    /** Lists the spreadsheets */
    get: {
      parameters: {
        query?: {
          limit?: number
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
    /** Makes a spreadsheet */
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
    /** One spreadsheet, without its rows */
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
    /** Removes a spreadsheet and its rows */
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
    /** Gives it another name */
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
    /** The whole as a file */
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
    /** Puts the rows of a CSV or XLSX file in place of all rows; its first names the columns */
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
    /** The rows, in order */
    get: {
      parameters: {
        query?: {
          limit?: number
          cursor?: string
          /** Rows that hold this somewhere; case and accents do not matter */
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
    /** Adds a row at the end */
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
            /** By the names of the columns. A date is text: 2026-03-01 or 2026-03-01T14:30:00 */
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
    /** Removes a row */
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
    /** Changes the cells that are sent */
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
            /** By the names of the columns. A date is text: 2026-03-01 or 2026-03-01T14:30:00 */
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
    /** The tools that work with a spreadsheet, and their agents */
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
  '/api/tools': {
    /** Lists the tools */
    get: {
      parameters: {
        query?: {
          limit?: number
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
    /** Makes a tool */
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
            /** Tells the agent when to use the tool */
            description?: string | null
            method?: string | null
            /** {param} marks a value filled from collected parameters */
            requestUrl?: string | null
            /** JSON Schema of the parameters to collect */
            parameters?: Record<string, unknown> | null
            /** HTTP headers of the outgoing request; values are masked when read */
            headers?: Record<string, string> | null
            /** { type, ... }; secrets are masked when read */
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
            /** Settings that are particular to the type */
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
    /** One tool, its secrets masked */
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
    /** Removes a tool and its links */
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
    /** Changes the fields that are sent */
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
            /** Tells the agent when to use the tool */
            description?: string | null
            method?: string | null
            /** {param} marks a value filled from collected parameters */
            requestUrl?: string | null
            /** JSON Schema of the parameters to collect */
            parameters?: Record<string, unknown> | null
            /** HTTP headers of the outgoing request; values are masked when read */
            headers?: Record<string, string> | null
            /** { type, ... }; secrets are masked when read */
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
            /** Settings that are particular to the type */
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
    /** The agents that may use the tool */
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
    /** Lets an agent use the tool */
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
    /** Takes the tool from the agent */
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
  '/api/tools/{id}/test': {
    /** Runs a tool with these arguments, really, and tells what happened */
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
            /** What a model would fill in */
            arguments?: Record<string, unknown> | null
            /** Values for {name} beside the arguments */
            variables?: Record<string, string> | null
            /** Whose language and time zone are used */
            agentId?: string | null
            /** Of a tool with several functions, which one */
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
    /** The tests of a tool in the last 30 days */
    get: {
      parameters: {
        query?: {
          limit?: number
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
  '/api/trunks': {
    /** Lists the SIP trunks */
    get: {
      parameters: {
        query?: {
          limit?: number
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
    /** Sets up a SIP trunk */
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
            /** Name or address of the far side */
            host?: string | null
            /** Write-only */
            password?: string | null
            isActive?: boolean | null
            directions?: ('inbound' | 'outbound')[] | null
            provider?: string | null
            port?: number | null
            transport?: 'udp' | 'tcp' | 'tls' | null
            authMode?: 'ip' | 'digest' | 'register' | null
            username?: string | null
            realm?: string | null
            fromUser?: string | null
            fromDomain?: string | null
            outboundProxy?: string | null
            registerExpires?: number | null
            allowedAddresses?: string[] | null
            allowedNumbers?: string[] | null
            numbers?: string[] | null
            callerId?: string | null
            codecs?: ('PCMA' | 'PCMU' | 'G722' | 'opus')[] | null
            mediaEncryption?: 'disabled' | 'allowed' | 'required' | null
            dtmfMode?: 'auto' | 'rfc4733' | 'info' | 'inband' | null
            numberFormat?: {
              leadingPlus?: boolean | null
              prefix?: string | null
              stripPrefix?: string | null
            } | null
            sessionTimers?: boolean | null
            optionsPing?: boolean | null
            priority?: number | null
            weight?: number | null
            maxConcurrentCalls?: number | null
            headers?: Record<string, string> | null
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
    /** One SIP trunk */
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
    /** Removes a SIP trunk and its links */
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
    /** Changes a SIP trunk */
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
            /** Name or address of the far side */
            host?: string | null
            /** Write-only */
            password?: string | null
            isActive?: boolean
            directions?: ('inbound' | 'outbound')[] | null
            provider?: string | null
            port?: number | null
            transport?: 'udp' | 'tcp' | 'tls'
            authMode?: 'ip' | 'digest' | 'register'
            username?: string | null
            realm?: string | null
            fromUser?: string | null
            fromDomain?: string | null
            outboundProxy?: string | null
            registerExpires?: number | null
            allowedAddresses?: string[] | null
            allowedNumbers?: string[] | null
            numbers?: string[] | null
            callerId?: string | null
            codecs?: ('PCMA' | 'PCMU' | 'G722' | 'opus')[] | null
            mediaEncryption?: 'disabled' | 'allowed' | 'required'
            dtmfMode?: 'auto' | 'rfc4733' | 'info' | 'inband'
            numberFormat?: {
              leadingPlus?: boolean | null
              prefix?: string | null
              stripPrefix?: string | null
            } | null
            sessionTimers?: boolean
            optionsPing?: boolean
            priority?: number | null
            weight?: number | null
            maxConcurrentCalls?: number | null
            headers?: Record<string, string> | null
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
    /** The agents that use the trunk */
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
    /** Examines a SIP trunk: what is wrong with it, and how to cure it */
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
            /** A number at the far side that sends back what it hears: a call is placed there */
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
  '/api/tts/provider_a/preview': {
    /** Hear a voice of provider_a */
    get: {
      parameters: {
        query?: {
          /** The first voice when left out */
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
    /** The voices of provider_a */
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
    /** Hear a voice of provider_b */
    get: {
      parameters: {
        query?: {
          /** The first voice when left out */
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
    /** Speaks with provider_b */
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
    /** A short-lived token for provider_b's stream */
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
    /** The voices of provider_b */
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
    /** Hear a voice of provider_c */
    get: {
      parameters: {
        query?: {
          /** The first voice when left out */
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
    /** Speaks with provider_c */
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
    /** The voices of provider_c */
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
  '/api/web-calls': {
    /** Gives a token that opens one call from a browser */
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
            /** How long the token opens the call */
            expiresInSeconds?: number | null
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
    /** Lists the webhooks */
    get: {
      parameters: {
        query?: {
          limit?: number
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
    /** Makes a webhook; its secret is told this once */
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
            /** Where events are posted: http or https, no user name in it */
            url: string
            /** Which types; * is all of them */
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
                  | 'conversation.started'
                  | 'conversation.message'
                  | 'conversation.ended'
                  | 'tool.called'
                  | 'tool.completed'
                  | 'tool.failed'
                  | 'device.status_changed'
                  | 'device.text_received'
                  | 'trunk.status_changed'
                )[]
              | null
            /** Only what concerns these agents */
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
    /** One webhook */
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
    /** Removes a webhook and its deliveries */
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
    /** Changes the fields that are sent */
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
            /** Where events are posted: http or https, no user name in it */
            url?: string
            /** Which types; * is all of them */
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
              | 'conversation.started'
              | 'conversation.message'
              | 'conversation.ended'
              | 'tool.called'
              | 'tool.completed'
              | 'tool.failed'
              | 'device.status_changed'
              | 'device.text_received'
              | 'trunk.status_changed'
            )[]
            /** Only what concerns these agents */
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
    /** What was sent to a webhook, or will be; newest first */
    get: {
      parameters: {
        query?: {
          limit?: number
          cursor?: string
          /** pending: not sent yet. failed: will be tried again. dead: will not */
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
    /** Sends an event once more, under the same id */
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
    /** Gives the webhook a new secret; the old one signs beside it for a day */
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
    /** Sends a webhook.test event now, and tells what came back */
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
}
