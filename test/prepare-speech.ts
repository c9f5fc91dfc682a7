// Prepares the embedded voice and ears once for the tests that need them, while others run: it gives way to them.
import { setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import { prepareWhisper } from '../src/speech/stt/whisper-prepare.ts'
import { preparedKokoro } from '../src/speech/tts/kokoro-testing.ts'

setPriority(10)
const whisper = fileURLToPath(new URL('../node_modules/.cache/ramal-models/whisper', import.meta.url))
await prepareWhisper(whisper, () => {}, new AbortController().signal)
await preparedKokoro()
