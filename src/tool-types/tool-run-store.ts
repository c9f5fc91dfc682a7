// The store of tool runs as the toolbox uses it. Types only.

export type NewToolRun = {
  userId: string
  conversationId: string
  callId: string | null
  /** Null: the model called a tool that does not exist. */
  toolId: string | null
  name: string
  /** JSON, from the model and validated against the schema. */
  arguments: string
  /** Identifies this request: a repeated one is the same call. */
  dedupeKey: string
  /** Identifies tool and arguments: while the outcome is unknown, the same request is the same call. */
  argumentsKey: string
  hasEffect: boolean
  /** The run has ended by then, unless its process died. */
  leaseMs: number
}

export type StoredToolRun = {
  id: string
  status: 'running' | 'done' | 'failed' | 'in_doubt' | 'refused'
  result: string | null
  error: string | null
  /** Variables for later tools. */
  variables: Readonly<Record<string, string>> | null
  /** Running, but its process is gone. */
  isOrphaned: boolean
}

export type ToolRunEnd = {
  status: 'done' | 'failed' | 'in_doubt'
  result: string | null
  error: string | null
  durationMs: number
  variables: Readonly<Record<string, string>> | null
}

/** Limits for one conversation within 24 hours. */
export type Caps = { runs: number; effects: number }

export interface ToolRunStore {
  /** If it throws, nothing was stored, so the tool must not run. */
  begin(
    call: NewToolRun,
    caps: Caps,
  ): Promise<
    { state: 'begun'; id: string } | { state: 'known'; call: StoredToolRun } | { state: 'refused'; error: string }
  >
  get(conversationId: string, id: string): Promise<StoredToolRun | undefined>
  /** Takes over an orphaned or in-doubt call to send it again; false if another process did. */
  takeOver(id: string, leaseMs: number): Promise<boolean>
  finish(id: string, end: ToolRunEnd): Promise<void>
  /** Records a call that was refused. */
  refuse(call: NewToolRun, error: string): Promise<void>
}
