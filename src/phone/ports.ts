// What the phone needs from the platform: trunks, devices, numbers and agents, and where calls are stored. Types only.
import type { EndReason } from '../base/domain/end-reasons.ts'
import type { AddressProof, AddressProofs } from '../base/network/address-proofs.ts'
import type { RecordingOutcome } from '../rtp/call-recording.ts'
import type { LadderEntry } from '../sip/ladder.ts'
import type { Binding } from '../sip/registration/registrar.ts'
import type { Transport } from '../voice/ports.ts'

/** A trunk as the phone sees it: the API record with its owner and password. */
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
  /** DIDs of this trunk. */
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
  /** Names of headers of inbound calls that become variables. */
  headerVariables?: readonly string[]
  /** Names of headers that an outbound call may be given. */
  outboundHeaders?: readonly string[]
  isActive: boolean
  /** It leads to this gateway device; the API does not list it as a trunk. */
  deviceId?: string
  isOwnedByAdmin?: boolean
  /** False: the target of the trunk changed since its password was set, so the password is not sent. */
  isPasswordBound?: boolean
  /** The carrier has accepted our registration. */
  isRegistered?: boolean
  /** When each address was first claimed by its hosts and ranges. */
  claims?: AddressClaims
  /** Addresses that were proved to be its carrier's. */
  proofs?: AddressProofs
  /** False: its target was set by an API key without full access, which may not reach private networks. */
  mayReachPrivate?: boolean
}

/** By host or range, then by address: the time of the claim. */
export type AddressClaims = Readonly<Record<string, Readonly<Record<string, string>>>>

/** The network that carries a call. */
export type Channel = 'sip' | 'whatsapp'

export type TrunkState = {
  status: 'registering' | 'registered' | 'reachable' | 'unreachable' | 'auth_failed' | 'unknown'
  detail: string | null
  isSeen: boolean
  /** Where the registrar has accepted our password. */
  registeredAt?: string
}

/** A gateway device: a SIP account on our registrar, or a device of another network that a trunk leads to. */
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
  /** Accepted instead of its token. */
  shortId?: string
  /** For a device of another network: reached through a trunk, never registered here. */
  remote?: { channel: Channel; isConnected: boolean; trouble: string | null }
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
  /** Unsaved changes that only this call runs with, validated by the API; opaque here. */
  draft?: object
}

/** The called number as its owner configured it. */
export type Did = {
  id: string
  phoneNumber: string
  isActive: boolean
  agentId: string | null
  /** It was dialed with its country code. */
  isFull: boolean
}

/** A registered contact of a device, shared by all nodes. Its times are of our clock. */
export type StoredBinding = {
  deviceId: string
  /** Fingerprint of the password that it was registered with. */
  credential: string
  binding: Binding
}

export interface BindingStore {
  /** The bindings that have changed after this version, in order; removed ones have expired. */
  bindingChanges(version: number): Promise<{ version: number; changes: StoredBinding[] }>
  /**
   * Replaces the bindings of a device under its lock; those of an old password are removed. Bindings that `judge` returns unchanged are not
   * written; undefined changes nothing. `judge` is not called if the device is gone or its password has changed.
   */
  changeBindings(
    device: { deviceId: string; password: string; credential: string },
    judge: (stored: readonly Binding[]) => readonly Binding[] | undefined,
  ): Promise<void>
  /** Removes bindings over connections of processes that have ended, and old rows. */
  removeLostBindings(options?: { ofThisNode?: boolean }): Promise<void>
  isRegistered(deviceId: string, credential: string): Promise<boolean>
}

export interface PhoneRepository extends BindingStore {
  /** Changes whenever a trunk or a device does; cheap enough to poll every second. */
  version(): Promise<string>
  trunks(): Promise<Trunk[]>
  devices(): Promise<Device[]>
  administrators(): Promise<string[]>
  saveAddressClaims(userId: string, trunkId: string, claims: AddressClaims): Promise<void>
  saveAddressProof(userId: string, trunkId: string, address: string, by: AddressProof['by']): Promise<void>
  /** Finds a DID by its digits, with or without the country code; the countries of the trunks' numbers decide what is ambiguous. */
  did(userId: string, dialed: string, trunkIds: readonly string[]): Promise<Did | undefined>
  agent(userId: string, agentId: string): Promise<Agent | undefined>
  /** The trunks that an agent may call through. */
  outboundTrunks(userId: string, agentId: string): Promise<string[]>
  saveTrunkState(userId: string, trunkId: string, state: TrunkState): Promise<void>
  /** The names of the other nodes that can monitor trunks: alive, not draining, with the phone on. */
  otherPhoneNodes(): Promise<string[]>
  /** Renews the leases of this process; returns the trunks (`trunkKey`) that it still has. */
  renewTrunkLeases(forMs: number): Promise<string[]>
  /** Returns those that no other process has. */
  acquireTrunkLeases(trunks: readonly string[], forMs: number): Promise<string[]>
  /** The other nodes notice at once. */
  releaseTrunkLeases(trunks: readonly string[]): Promise<void>
  saveDeviceState(deviceId: string, isRegistered: boolean): Promise<void>
}

/** Why this server hangs up a call by itself. */
export type HangUpReason = 'api' | 'shutdown' | 'max_duration' | 'broken'

export type CallEnd = {
  status: 'completed' | 'failed' | 'busy' | 'no_answer' | 'canceled'
  endReason: EndReason
  endDetail?: string
  sipCode?: number
  hangupBy?: 'caller' | 'agent' | 'system' | 'carrier'
  /** The time of the end; it may be stored later. */
  endedAt?: string
  /** Undefined: the call was not to be recorded. */
  recording?: RecordingOutcome | undefined
}

export type NewInboundCall = {
  userId: string
  agentId: string | null
  fromNumber: string | null
  toNumber: string
  trunkId: string | null
  deviceId: string | null
  channel?: Channel
  /** Chosen before the row is written, for the owner's answer hook and so that a retry does not create a second call. */
  id?: string
  variables?: Record<string, string> | null
}

/** An unanswered call, as the owner's answer hook sees it. */
export type RingingCall = {
  callId: string
  userId: string
  /** The called number, whose hook is asked; null for the agent's hook. */
  didId: string | null
  agentId: string
  channel: 'phone' | 'web'
  fromNumber: string | null
  toNumber: string | null
  /** SIP headers that the trunk lets through. */
  headers: Readonly<Record<string, string>>
  variables: Readonly<Record<string, string>>
}

/** The decision of the hook. Fields are null where it leaves the choice to us. */
export type AnswerDecision = {
  /** A SIP code. */
  refuse: number | null
  agent: Agent | null
  /** A number or SIP address that may be called. */
  transferTo: string | null
  variables: Readonly<Record<string, string>>
  language: string | null
  context: string | null
  /** Stored with the call; opaque here. */
  outcome: object
  /** An answer that comes during the conversation; never rejects. */
  late: Promise<LateAnswer | null>
}
export type LateAnswer = { variables: Readonly<Record<string, string>>; context: string | null }

/** Asks the owner's hook, within its time; undefined when there is none. `onWaiting`: the caller waits for it now. Never rejects. */
export type BeforeAnswer = (
  call: RingingCall,
  options: { signal: AbortSignal; onWaiting: () => void },
) => Promise<AnswerDecision | undefined>

/** Instructions of the hook for the agent in this call. */
export type CallGuidance = Pick<AnswerDecision, 'language' | 'context' | 'late'>

/** An outbound call that was requested through the API. */
export type DialRequest = {
  id: string
  userId: string
  agentId: string | null
  toNumber: string
  deviceTokens: readonly string[] | null
  /** Sent through trunks that allow them. */
  headers?: Readonly<Record<string, string>> | null
  /** The route that it must take; null for the agent's own routes. */
  via?: CallVia | null
  /** For a campaign call: it is placed in time or not at all, and part of the capacity stays free for other calls. */
  campaign?: CampaignLimits | null
  /** Gives the call to another node; false when there is none. */
  handOn?: () => Promise<boolean>
}

/** The trunk or device that a call must use, and the caller ID that it shows; the agent's and the trunk's own by default. */
export type CallVia = { trunkId?: string | null; deviceId?: string | null; callerId?: string | null }

export type CampaignLimits = {
  /** See Caps in capacity.ts. */
  share: number
  /** Nothing is sent later than this after the request. */
  withinMs: number
}

export interface CallRepository {
  begin(call: NewInboundCall): Promise<{ id: string }>
  refused(call: NewInboundCall, end: CallEnd): Promise<{ id: string }>
  /** Stores the answer hook's decision; false when the call has already ended. */
  decided(
    id: string,
    decision: { agentId: string | null; variables: Readonly<Record<string, string>>; outcome: object },
  ): Promise<boolean>
  /** Stores the route before it is dialed. False when the call has ended or another node has taken it over: nothing may be sent then. */
  placed(
    id: string,
    attempt: { trunkId: string | null; deviceId: string | null; fromNumber: string | null; channel: Channel },
  ): Promise<boolean>
  ringing(id: string, at: string): Promise<void>
  /** Undefined when the call has ended already. */
  answered(id: string, at: string): Promise<{ conversationId: string } | { problem: 'agent_gone' } | undefined>
  recorded(id: string, recording: { file: string; node: string }): Promise<void>
  transferring(id: string): Promise<void>
  /** The transfer is over: it failed, or both parties are connected. */
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
  /** From the owner's answer hook. */
  guidance?: CallGuidance
  /** Live updates for a caller with a screen. */
  onUpdate?: (news: CallUpdate) => void
}

export type CallUpdate =
  | { type: 'said'; who: 'agent' | 'caller'; text: string; at: string }
  /** Words of a line that is not complete yet; `said` of the same speaker replaces them. */
  | { type: 'speaking'; who: 'agent' | 'caller'; text: string; startsAt?: number; durationMs?: number }
  /** As in the API; it replaces an earlier turn with the same number. */
  | { type: 'turn'; turn: object }
  | { type: 'tool'; name: string; status: 'running' | 'done' | 'failed' }

/** A SIP MESSAGE from a device. */
export type InboundMessage = {
  userId: string
  deviceId: string
  /** The sender that the gateway names, or the device's own number. */
  from: string | null
  to: string | null
  text: string
  /** Identifies the message across retransmissions. */
  key: string
}
/** True when the message is stored; only then is it acknowledged. */
export type OnMessage = (message: InboundMessage) => Promise<boolean>

export type ConversationEnd = Pick<CallEnd, 'endReason' | 'endDetail'>

/** Runs the conversation. Resolves when it is over; the phone then hangs up. The signal aborts when the caller has left. */
export type Converse = (call: AnsweredCall, transport: Transport, signal: AbortSignal) => Promise<ConversationEnd>

/** Plays the agent's consent notice, before anything is recorded. */
export type Announce = (call: AnsweredCall, text: string, transport: Transport, signal: AbortSignal) => Promise<void>
