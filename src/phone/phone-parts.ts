// What a phone is started with: its settings, and what the platform hands it. Types only.
import type { Log } from '../base/process/log.ts'
import type { PhoneConfig } from '../config/config.ts'
import type { RecordingFolder } from '../rtp/call-recording.ts'
import type { Relay, SipTimers } from '../sip/stack.ts'
import type { Slots } from './capacity.ts'
import type { DialPolicy } from './dial-policy.ts'
import type { Announce, BeforeAnswer, CallRepository, Converse, OnMessage, PhoneRepository } from './ports.ts'

export type PhoneSettings = Omit<PhoneConfig, 'drainMs'> & {
  /** The realm of device registrations. */
  domain: string
  dialPolicy: DialPolicy
  name: string
  /** The same for all processes of one database, and after every restart. */
  secret: string
}

export type PhoneParts = {
  nodeName: string
  recordings: RecordingFolder
  repository: PhoneRepository
  calls: CallRepository
  converse: Converse
  announce: Announce
  /** Asks the owner's hook before an inbound call is answered. */
  beforeAnswer?: BeforeAnswer
  /** Counts the calls of all nodes; left out when this process is the only one. */
  slots?: Slots
  /** Reaches phones that are connected to other nodes; left out when this process is the only one. */
  relay?: Relay
  /** Stores messages from devices; without it they are refused. */
  onMessage?: OnMessage
  log: Log
  /** Whether an error means that a dependency such as the database is down. */
  isUnavailable?: (error: unknown) => boolean
  /** While true, new calls are refused at once and load balancers are told: calls could not be stored. */
  isDatabaseAway?: () => boolean
  /** Called for every refused INVITE, except for challenges. */
  onRefused?: (code: number) => void
  ringMs?: number
  /** Interval of OPTIONS pings to trunks. */
  pingMs?: number
  /** RFC 3261 timers. */
  timers?: Partial<SipTimers>
}
