// What the phone asks of the rest of the house: who may call and be called, and where a call's course is written. Types only.
import type { EndReason } from '../base/end-reasons.ts'
import type { RecordingOutcome } from '../rtp/call-recording.ts'
import type { LadderEntry } from '../sip/ladder.ts'
import type { Transport } from '../voice/ports.ts'

/** A trunk as the phone needs it: the record of the API, its owner and its password. */
export type Trunk = {
  userId: string
  id: string
  name: string
  host: string | null
  port: number | null
  transport: 'udp' | 'tcp' | 'tls'
  directions: readonly ('inbound' | 'outbound')[]
  authMode: 'ip' | 'digest' | 'register'
  username: string | null
  password: string | null
  realm: string | null
  fromUser: string | null
  fromDomain: string | null
  outboundProxy: string | null
  registerExpires: number
  allowedAddresses: readonly string[]
  allowedNumbers: readonly string[]
  callerId: string | null
  /** Its own. */
  numbers?: readonly string[]
  codecs: readonly ('PCMA' | 'PCMU' | 'G722' | 'opus')[]
  mediaEncryption: 'disabled' | 'allowed' | 'required'
  dtmfMode: 'auto' | 'rfc4733' | 'info' | 'inband'
  numberFormat: { leadingPlus?: boolean | null; prefix?: string | null; stripPrefix?: string | null }
  sessionTimers: boolean
  optionsPing: boolean
  priority: number
  weight: number
  maxConcurrentCalls: number | null
  headers: Readonly<Record<string, string>>
  isActive: boolean
  /** It is the way to this gateway device; the API does not show it as a trunk. */
  deviceId?: string
  /** Its owner runs the platform. */
  isAdmins?: boolean
  /** False: the trunk leads elsewhere than where its password was given for, so it is not sent. */
  isPasswordBound?: boolean
  /** The carrier has accepted our registration, as far as is known. */
  isRegistered?: boolean
  /** Since when which of its hosts and ranges stands for which addresses. */
  claims?: AddressClaims
}

/** By host or range, then by address. */
export type AddressClaims = Readonly<Record<string, Readonly<Record<string, string>>>>

/** By what kind of network a call goes. */
export type Channel = 'sip' | 'whatsapp'

export type TrunkState = {
  status: 'registering' | 'registered' | 'reachable' | 'unreachable' | 'auth_failed' | 'unknown'
  detail: string | null
  isSeen: boolean
}

/** A gateway device: a SIP account on our own registrar, or one of another network that a trunk leads to. */
export type Device = {
  userId: string
  id: string
  token: string
  name: string | null
  phone: string | null
  username: string
  password: string
  agentId: string | null
  inboundEnabled: boolean
  outboundEnabled: boolean
  maxConcurrentCalls: number | null
  recordCalls: boolean
  isDisabled: boolean
  /** Its short name, which is as good as its token. */
  shortId?: string
  /** Of another network: a trunk leads to it, and nothing registers here in its name. */
  far?: { channel: Channel; isConnected: boolean; trouble: string | null }
}

export type Agent = {
  id: string
  userId: string
  name: string
  isActive: boolean
  direction: 'inbound' | 'outbound' | 'both'
  /** Null: the agent's settings forbid recording. */
  recording: { consentNotice: string | null } | null
  maxDurationMs: number | null
}

/** The number that was called, as its owner has it. */
export type Number = { phoneNumber: string; isActive: boolean; agentId: string | null }

export interface PhoneRepository {
  /** Changes whenever a trunk or a device does; cheap enough to be asked every second. */
  version(): Promise<string>
  trunks(): Promise<Trunk[]>
  devices(): Promise<Device[]>
  /** Users who run the platform. */
  administrators(): Promise<string[]>
  claimed(userId: string, trunkId: string, claims: AddressClaims): Promise<void>
  /** By its digits, with or without the country's code. */
  number(userId: string, dialled: string, trunkId?: string): Promise<Number | undefined>
  agent(userId: string, agentId: string): Promise<Agent | undefined>
  /** The trunks that an agent may call through. */
  outboundTrunks(userId: string, agentId: string): Promise<string[]>
  trunkState(userId: string, trunkId: string, state: TrunkState): Promise<void>
  /** Takes, or keeps, the care of all trunks for so long; false while another process has it. */
  acquireTrunkLease(holder: string, forMs: number): Promise<boolean>
  /** Gives it back before its time. */
  leavesTrunks(holder: string): Promise<void>
  deviceState(deviceId: string, isRegistered: boolean): Promise<void>
}

export type CallEnd = {
  status: 'completed' | 'failed' | 'busy' | 'no_answer' | 'canceled'
  endReason: EndReason
  endDetail?: string
  sipCode?: number
  hangupBy?: 'caller' | 'agent' | 'system' | 'carrier'
  /** When it was over; it may be written later. */
  endedAt?: string
  /** What became of its recording; left out: there was to be none. */
  recording?: RecordingOutcome | undefined
}

export type NewInbound = {
  userId: string
  agentId: string | null
  fromNumber: string | null
  toNumber: string
  trunkId: string | null
  deviceId: string | null
  channel?: Channel
}

/** An outbound call as it was asked for. */
export type CallOrder = {
  id: string
  userId: string
  agentId: string | null
  toNumber: string
  deviceTokens: readonly string[] | null
}

export interface CallRepository {
  begin(call: NewInbound): Promise<{ id: string }>
  refused(call: NewInbound, end: CallEnd): Promise<{ id: string }>
  /** False when the call has ended or another node has taken it over: then nothing may be sent for it. */
  placed(
    id: string,
    attempt: { trunkId: string | null; deviceId: string | null; fromNumber: string | null; channel: Channel },
  ): Promise<boolean>
  ringing(id: string, at: string): Promise<void>
  /** Undefined when the call had been ended before. */
  answered(id: string, at: string): Promise<{ conversationId: string } | { problem: 'agent_gone' } | undefined>
  /** A recording has begun. */
  recorded(id: string, recording: { file: string; node: string }): Promise<void>
  transferring(id: string): Promise<void>
  /** It is not being transferred any more: it failed, or the two are talking. */
  resumed(id: string, isConnected: boolean): Promise<void>
  finish(id: string, end: CallEnd): Promise<boolean>
  saveLadder(id: string, entries: readonly LadderEntry[]): Promise<void>
}

export type AnsweredCall = {
  callId: string
  conversationId: string
  userId: string
  agent: Agent
  direction: 'inbound' | 'outbound'
  fromNumber: string | null
  toNumber: string
  /** Where the far side has a screen: what happens, as it happens. */
  onUpdate?: (news: CallUpdate) => void
}

export type CallUpdate =
  | { type: 'said'; who: 'agent' | 'caller'; text: string; at: string }
  /** As the API gives it; one with the same number takes the place of the one before. */
  | { type: 'turn'; turn: object }
  | { type: 'tool'; name: string; status: 'running' | 'done' | 'failed' }

/** A short text that a device sent by SIP MESSAGE. */
export type TextMessage = {
  userId: string
  deviceId: string
  /** The number that the gateway names, or the device's own. */
  from: string | null
  to: string | null
  text: string
  /** The same for one text, however often it is sent. */
  key: string
}
/** True when it is kept: only then is the device told so. */
export type OnMessage = (message: TextMessage) => Promise<boolean>

export type Conversed = Pick<CallEnd, 'endReason' | 'endDetail'>

/** Who speaks for the agent. Resolves when the conversation is over; the phone then hangs up. The signal fires when the far side has left. */
export type Converse = (call: AnsweredCall, transport: Transport, signal: AbortSignal) => Promise<Conversed>

/** Says the agent's consent notice, before anything is recorded. */
export type Announce = (call: AnsweredCall, text: string, transport: Transport, signal: AbortSignal) => Promise<void>
