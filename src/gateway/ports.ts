// What a gateway is to the rest of the house: who makes devices reachable, whatever network they live in. Types only.

export const driverNames = ['embedded', 'whatsapp', 'remote'] as const
export type DriverName = (typeof driverNames)[number]

/** A device as a driver sees it. */
export type GatewayDevice = {
  id: string
  userId: string
  driver: DriverName
  name: string | null
  phone: string | null
  /** What the far side calls it; null until it was made there. */
  externalId: string | null
}

export type DeviceStatus = 'provisioning' | 'waiting_qr' | 'connected' | 'disconnected' | 'error'

/** How a device is just now, as its driver knows it. Absent fields stay as they are. */
export type DeviceState = {
  status: DeviceStatus
  externalId?: string
  /** Its number, when the far side tells it. */
  phone?: string
  error?: string | null
}

/** What is to be scanned to link the device, and until when. */
export type LinkCode = { text: string; expiresAt: string }

/** How calls reach it, for a device that no registrar of ours knows: a trunk with these settings. */
export type DeviceTrunk = {
  host: string
  port: number | null
  transport: 'udp' | 'tcp' | 'tls'
  username: string | null
  password: string | null
  realm: string | null
  /** Whom From names, where that is not the account; and in which domain, where that is not the host. */
  fromUser?: string | null
  fromDomain?: string | null
  codecs: readonly ('PCMA' | 'PCMU' | 'G722' | 'opus')[]
  mediaEncryption: 'disabled' | 'allowed' | 'required'
  sessionTimers: boolean
  /** Addresses that its calls come from. None: its calls have to show the account's password. */
  allowedAddresses: readonly string[]
}

/** `isDoubtful`: it may have been sent all the same. `mayRepeat`: and yet it may be asked again, for the far side knows its key. */
export type SentText =
  | { ok: true; externalId: string | null }
  | { ok: false; error: string; isDoubtful?: boolean; mayRepeat?: boolean }

/** A text that came in for a device. `key` is the far side's id of it: the same text is never taken twice. */
export type TextIn = {
  deviceId: string
  from: string
  text: string
  key: string
  at: string
  /** Whom it was written to, in networks where a device has several names: the answer then comes from that one. */
  to?: string | null
}

export type Account = { email: string; password: string }

/** What a driver may ask of the house, and where it tells what its far side said without being asked. */
export interface DriverHost {
  /** The device that the far side calls so. */
  device(driver: DriverName, externalId: string): Promise<GatewayDevice | undefined>
  /** Makes the far side's name this device's own; false where another device has it. */
  claim(deviceId: string, externalId: string): Promise<boolean>
  /** It may not have its far side's name any more: neither texts nor calls. */
  release(deviceId: string, why: string): Promise<void>
  told(deviceId: string, state: DeviceState): Promise<void>
  /** True when it is kept, now or before: only then may the far side be told so. False: no such device, or it is disabled. */
  received(text: TextIn): Promise<boolean>
  /** The account that this user saved. */
  account(userId: string): Promise<Account | undefined>
  accountChecked(userId: string, status: 'valid' | 'invalid'): Promise<void>
}

/** A request of the far side to /hooks/<driver>: the bytes of its body as they came, for a signature is over these. */
export type HookRequest = {
  method: 'GET' | 'POST'
  query: Readonly<Record<string, string>>
  /** Lower case. */
  headers: Readonly<Record<string, string | undefined>>
  body: Buffer
}
export type HookAnswer = { status: number; type?: string; body?: string }

/** Expected failures (401, 429, no answer) are DriverTrouble with words for the user; nothing secret in them. */
export interface GatewayDriver {
  readonly name: DriverName
  /** Makes the device on the far side, or finds the one that was made under the same id before. */
  create(device: GatewayDevice, signal: AbortSignal): Promise<DeviceState>
  look(device: GatewayDevice, signal: AbortSignal): Promise<DeviceState>
  /** Null when there is nothing to be scanned now. */
  link(device: GatewayDevice, signal: AbortSignal): Promise<LinkCode | null>
  remove(device: GatewayDevice, signal: AbortSignal): Promise<void>
  /** Null: it registers with us. */
  trunk(device: GatewayDevice, signal: AbortSignal): Promise<DeviceTrunk | null>
  /** `key` goes along so that a repeat is known where the far side can know it. */
  sendText(
    device: GatewayDevice,
    to: string,
    text: string,
    key: string,
    signal: AbortSignal,
    from?: string | null,
  ): Promise<SentText>
  /** Ends the link: what was linked is let go, and would have to be linked anew. Absent where there is no such thing. */
  unlink?(device: GatewayDevice, signal: AbortSignal): Promise<DeviceState>
  /** Whether the user's saved account opens the far side; absent where there is no account. */
  checkAccount?(account: Account, signal: AbortSignal): Promise<'valid' | 'invalid'>
  /** What the far side sends us without being asked; absent where it never does. */
  hook?(request: HookRequest): Promise<HookAnswer>
  /** When the service is on: for a driver that follows its far side. Ended by `close`. */
  start?(): void
  close?(): Promise<void>
}

/** `forbidden`: this device must not have what it asks for. It lets go of what it has, and does not ask again by itself. */
export class DriverTrouble extends Error {
  readonly kind: 'unauthorized' | 'unavailable' | 'timeout' | 'refused' | 'forbidden' | 'protocol'
  constructor(kind: DriverTrouble['kind'], message: string, cause?: unknown) {
    super(message, { cause })
    this.kind = kind
  }
}
