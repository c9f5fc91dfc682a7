// Prepares the embedded speech engines once for the tests that need them, at low priority while other tests run.
import { setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import { prepareWhisper } from '../src/speech/whisper/prepare.ts'
import { preparedKokoro } from './prepared-kokoro.ts'

setPriority(10)
const whisper = fileURLToPath(new URL('../node_modules/.cache/ramal-models/whisper', import.meta.url))
await prepareWhisper(whisper, () => {}, new AbortController().signal)
await preparedKokoro()
