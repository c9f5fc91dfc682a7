// What both kinds of UDP sockets have in common.

/** Who sent a datagram: the same object for all of one source in a row. */
export type Source = { readonly address: string; readonly port: number }
/** `arrivedMs` of monotonicMs. */
export type OnDatagram = (bytes: Buffer, source: Source, arrivedMs: number) => void

export type DatagramSocket = {
  /** Takes what has arrived; nothing to do for a socket that is read by the event loop. */
  read(): void
  send(bytes: Buffer, address: string, port: number): void
  close(): Promise<void>
}

/** An IPv4 peer of an IPv6 socket by its own name. */
export const plain = (address: string): string => (address.startsWith('::ffff:') ? address.slice(7) : address)
