// Turn rules for tests with a real recognizer: on a slow machine the agent waits for the caller's words instead of
// going on, reminding or apologizing meanwhile. The API has no such settings.
import { agentStore } from '../../src/features/agents/store.ts'
import type { Client, TestApp } from '../app.ts'

const LONG_MS = 60_000
const patient = { resumeAfterMs: LONG_MS, resumeAfterLongMs: LONG_MS, recognitionTimeoutMs: LONG_MS, fillerMs: 0 }

export async function makePatient(app: TestApp, { userId }: Client, id: string, settings: object = {}): Promise<void> {
  await agentStore(app.database.db).update(userId, { id }, { settings: { ...settings, turn: patient } as never })
}
