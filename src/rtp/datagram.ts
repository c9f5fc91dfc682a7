// The interface of UDP sockets, whether polled or read by the event loop.

/** The sender of a datagram: one object for consecutive datagrams of one source. */
export type Source = { readonly address: string; readonly port: number }
/** `arrivedMs` of monotonicMs. */
export type OnDatagram = (bytes: Buffer, source: Source, arrivedMs: number) => void

export type DatagramSocket = {
  /** Reads what has arrived; no-op for a socket that is read by the event loop. */
  read(): void
  send(bytes: Buffer, address: string, port: number): void
  close(): Promise<void>
}

/** IPv4-mapped addresses of an IPv6 socket become IPv4. */
export const plain = (address: string): string => (address.startsWith('::ffff:') ? address.slice(7) : address)
