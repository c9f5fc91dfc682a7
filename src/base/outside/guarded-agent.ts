// Keep-alive connections to addresses given by users, for clients that stream: every connection is checked and pinned
// as in guarded-http.ts.
import type { Socket } from 'node:net'
import type { Agent, Dispatcher } from 'undici'
import { appError } from '../errors/errors.ts'
import { loadUndici } from '../process/lazy-packages.ts'
import { type AddressCheckOptions, addressCheck, checkedUrl } from './address-check.ts'
import { HttpError } from './http-error.ts'
import { type Dial, pinnedConnector, poolLimits } from './pinned-pools.ts'

export type GuardedAgent = {
  /** Opened when it is first read. */
  readonly dispatcher: Dispatcher
  /** A connected socket, for protocols that are not plain HTTP requests: checked and pinned in the same way. */
  connect(url: URL, signal: AbortSignal): Promise<Socket>
  /** Why this address may not be called; null if it may, or if its name cannot be resolved now. */
  refusalFor(url: string, signal: AbortSignal): Promise<string | null>
  close(): Promise<void>
}

export type GuardedAgentOptions = AddressCheckOptions & { connectMs: number; dial?: Dial; ca?: string }

const KEEP_ALIVE_MS = 60_000

/** undici follows no redirects unless asked to, and its clients here do not ask: a key stays with its origin. */
export function guardedAgent(options: GuardedAgentOptions): GuardedAgent {
  const { checkedAddresses } = addressCheck(options)
  let agent: Agent | undefined
  return {
    get dispatcher() {
      agent ??= agentFor(options, checkedAddresses)
      return agent
    },
    async connect(given, signal) {
      try {
        const url = checkedUrl(given.href)
        const addresses = await checkedAddresses(url, signal)
        signal.throwIfAborted()
        return await socketTo(url, addresses, options)
      } catch (error) {
        throw publicError(error)
      }
    },
    async refusalFor(text, signal) {
      try {
        await checkedAddresses(checkedUrl(text), signal)
        return null
      } catch (error) {
        return error instanceof HttpError && error.kind === 'refused' ? error.message : null
      }
    },
    async close() {
      await agent?.destroy()
    },
  }
}

type CheckAddresses = ReturnType<typeof addressCheck>['checkedAddresses']

function agentFor(options: GuardedAgentOptions, checkedAddresses: CheckAddresses): Agent {
  const { connectMs } = options
  return new (loadUndici().Agent)({
    connect: ({ protocol, hostname, port, ...rest }, callback) => {
      const check = async () => {
        const host = hostname.includes(':') && !hostname.startsWith('[') ? `[${hostname}]` : hostname
        const url = checkedUrl(`${protocol}//${host}${port ? `:${port}` : ''}`)
        return checkedAddresses(url, AbortSignal.timeout(connectMs))
      }
      check().then(
        (addresses) => pinnedConnector(addresses, options)({ protocol, hostname, port, ...rest }, callback),
        (error) => callback(publicError(error), null),
      )
    },
    ...poolLimits,
    keepAliveTimeout: KEEP_ALIVE_MS,
    allowH2: false, // an abort must end the connection, not only one stream
  })
}

const socketTo = ({ protocol, hostname, port }: URL, addresses: readonly string[], options: GuardedAgentOptions) =>
  new Promise<Socket>((resolve, reject) => {
    pinnedConnector(addresses, options)({ protocol, hostname, port }, (error, socket) =>
      error ? reject(error) : resolve(socket),
    )
  })

/** An error whose message may be shown to the user who gave the address. */
const publicError = (error: unknown): Error =>
  error instanceof HttpError
    ? appError(
        error.kind === 'refused' ? 'provider_address_refused' : 'provider_unreachable',
        { reason: error.message },
        { cause: error },
      )
    : (error as Error)
