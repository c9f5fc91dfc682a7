// The store of tool runs as the toolbox uses it. Types only.

export type NewToolRun = {
  userId: string
  conversationId: string
  callId: string | null
  /** Null: the model asked for something that there is not. */
  toolId: string | null
  name: string
  /** JSON, as the model gave them and the schema took them. */
  arguments: string
  /** Names this asking: the same again is the same call. */
  dedupeKey: string
  /** Names what is asked for: while nobody knows whether it was done, asking for the same again is the same call. */
  argumentsKey: string
  hasEffect: boolean
  /** Whoever runs it has ended by then, unless its process died. */
  leaseMs: number
}

export type StoredToolRun = {
  id: string
  status: 'running' | 'done' | 'failed' | 'in_doubt' | 'refused'
  result: string | null
  error: string | null
  /** What the answer gave for later tools. */
  variables: Readonly<Record<string, string>> | null
  /** Running, and whoever ran it is no more. */
  isOrphaned: boolean
}

export type ToolRunEnd = {
  status: 'done' | 'failed' | 'in_doubt'
  result: string | null
  error: string | null
  durationMs: number
  variables: Readonly<Record<string, string>> | null
}

/** How much one conversation may do within 24 hours. */
export type Caps = { runs: number; effects: number }

export interface ToolRunStore {
  /** What it throws means that nothing was written, and so nothing may be done. */
  begin(
    call: NewToolRun,
    caps: Caps,
  ): Promise<
    { state: 'begun'; id: string } | { state: 'known'; call: StoredToolRun } | { state: 'refused'; error: string }
  >
  get(conversationId: string, id: string): Promise<StoredToolRun | undefined>
  /** Takes a call that was left or is in doubt, to send it again; false when somebody else did. */
  takeOver(id: string, leaseMs: number): Promise<boolean>
  finish(id: string, end: ToolRunEnd): Promise<void>
  /** Writes down what was asked for and not done. */
  refuse(call: NewToolRun, error: string): Promise<void>
}
