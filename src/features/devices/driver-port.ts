// The interfaces between gateway drivers and the rest of the platform. Types only.

export const driverNames = ['embedded', 'whatsapp', 'remote'] as const
export type DriverName = (typeof driverNames)[number]

/** A device as a driver sees it. */
export type GatewayDevice = {
  id: string
  userId: string
  driver: DriverName
  name: string | null
  phone: string | null
  /** Its id at the gateway; null until it is created there. */
  externalId: string | null
}

export type DeviceStatus = 'provisioning' | 'waiting_qr' | 'connected' | 'disconnected' | 'error'

/** The current state of a device, reported by its driver. Absent fields do not change. */
export type DeviceState = {
  status: DeviceStatus
  externalId?: string
  /** Its number, if the gateway reports it. */
  phone?: string
  error?: string | null
}

/** The content of the QR code that links the device, and its expiry. */
export type LinkCode = { text: string; expiresAt: string }

/** The trunk settings for calls of a device that does not register with us. */
export type DeviceTrunk = {
  host: string
  port: number | null
  transport: 'udp' | 'tcp' | 'tls'
  username: string | null
  password: string | null
  realm: string | null
  /** The user and domain of From, if they differ from the username and host. */
  fromUser?: string | null
  fromDomain?: string | null
  codecs: readonly ('PCMA' | 'PCMU' | 'G722' | 'opus')[]
  mediaEncryption: 'disabled' | 'allowed' | 'required'
  sessionTimers: boolean
  /** Source addresses of its calls. If empty, its calls must authenticate with the account's password. */
  allowedAddresses: readonly string[]
}

/** `isDoubtful`: it may have been sent. `mayRepeat`: a retry is safe, because the gateway deduplicates by key. */
export type SentText =
  | { ok: true; externalId: string | null }
  | { ok: false; error: string; isDoubtful?: boolean; mayRepeat?: boolean }

/** An inbound text. `key` is its id at the gateway: a text is never processed twice. */
export type TextIn = {
  deviceId: string
  from: string
  text: string
  key: string
  at: string
  /** The recipient, in networks where a device has several addresses: the answer is sent from the same one. */
  to?: string | null
}

export type Account = { email: string; password: string }

/** What the platform offers to drivers: lookups, and callbacks for pushed events. */
export interface DriverHost {
  /** The device with this id at the gateway. */
  device(driver: DriverName, externalId: string): Promise<GatewayDevice | undefined>
  /** Assigns the external id to this device; false if another device already has it. */
  claim(deviceId: string, externalId: string): Promise<boolean>
  /** Removes the external id from the device: no further texts and calls. */
  release(deviceId: string, why: string): Promise<void>
  /** Called when the state has changed; `look` fetches it after the stored state was read. */
  told(deviceId: string, look: () => Promise<DeviceState>): Promise<void>
  /**
   * True once the text is stored, now or earlier: acknowledge it only then. False if the device does not exist or is
   * disabled.
   */
  received(text: TextIn): Promise<boolean>
  /** The account that this user saved. */
  account(userId: string): Promise<Account | undefined>
  accountChecked(userId: string, status: 'valid' | 'invalid'): Promise<void>
}

/** A webhook request to /hooks/<driver>, with the raw body for the signature check. */
export type HookRequest = {
  method: 'GET' | 'POST'
  query: Readonly<Record<string, string>>
  /** Lower case. */
  headers: Readonly<Record<string, string | undefined>>
  body: Buffer
}
export type HookAnswer = { status: number; type?: string; body?: string }

/** Expected failures (401, 429, no response) are DriverTrouble, with a message for the user and no secrets. */
export interface GatewayDriver {
  readonly name: DriverName
  /** Creates the device at the gateway, or finds the one created earlier with the same id. */
  create(device: GatewayDevice, signal: AbortSignal): Promise<DeviceState>
  look(device: GatewayDevice, signal: AbortSignal): Promise<DeviceState>
  /** Null if there is nothing to scan now. */
  link(device: GatewayDevice, signal: AbortSignal): Promise<LinkCode | null>
  remove(device: GatewayDevice, signal: AbortSignal): Promise<void>
  /** Null if the device registers with us. */
  trunk(device: GatewayDevice, signal: AbortSignal): Promise<DeviceTrunk | null>
  /** `key` is the idempotency key, for gateways that support it. */
  sendText(
    device: GatewayDevice,
    to: string,
    text: string,
    key: string,
    signal: AbortSignal,
    from?: string | null,
  ): Promise<SentText>
  /** Ends the link: the phone must be linked again. Absent if the driver has no links. */
  unlink?(device: GatewayDevice, signal: AbortSignal): Promise<DeviceState>
  /** Verifies the user's saved account; absent if the driver has no accounts. */
  checkAccount?(account: Account, signal: AbortSignal): Promise<'valid' | 'invalid'>
  /** Handles webhook requests; absent if the gateway sends none. */
  hook?(request: HookRequest): Promise<HookAnswer>
  /** Called when the service starts, for a driver that follows events. Ended by `close`. */
  start?(): void
  close?(): Promise<void>
}

/**
 * `forbidden`: the device may not use this number or account. It releases what it has and is not retried automatically.
 */
export class DriverTrouble extends Error {
  readonly kind: 'unauthorized' | 'unavailable' | 'timeout' | 'refused' | 'forbidden' | 'protocol'
  constructor(kind: DriverTrouble['kind'], message: string, cause?: unknown) {
    super(message, { cause })
    this.kind = kind
  }
}
