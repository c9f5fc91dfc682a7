// One way to carry sealed messages from process to process: Redis, or PostgreSQL. Types only.

export type Channel = {
  readonly name: string
  /** False when nobody received it. Throws while the server is unreachable; the message may or may not have been sent. */
  publish(processId: string, message: string): Promise<boolean>
  close(): Promise<void>
}

export type ChannelParts = {
  url: string
  /** Messages to this process are received. */
  processId: string
  onMessage(message: string): void
  /** Called when the connection is lost, and with null when it is back. */
  onState(error: Error | null): void
}
