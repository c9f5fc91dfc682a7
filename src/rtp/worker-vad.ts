// The VAD engines that a media worker is connected to, each by its own port.
import type { MessagePort } from 'node:worker_threads'
import { VadClient } from '../voice/listening/vad-client.ts'
import type { FromVad } from '../voice/listening/vad-steps.ts'
import type { Command, Notification } from './wire.ts'

export class WorkerVads {
  readonly #clients = new Map<number, VadClient>()
  readonly #note: (note: Notification) => void
  readonly #onResults: () => void

  /** `onResults`: called after each batch. */
  constructor(note: (note: Notification) => void, onResults: () => void) {
    this.#note = note
    this.#onResults = onResults
  }

  obey(command: Command & { do: 'vad-port' | 'vad-stopped' }): void {
    if (command.do === 'vad-port') this.#connect(command.vad, command.port)
    else this.of(command.vad).fail(new Error(command.problem))
  }

  of(vad: number): VadClient {
    const client =
      this.#clients.get(vad) ?? new VadClient((error) => this.#note({ is: 'vad-fault', vad, problem: String(error) }))
    this.#clients.set(vad, client)
    return client
  }

  /** Sends the steps of all legs, at the end of each tick. */
  flush(): void {
    for (const client of this.#clients.values()) client.flush()
  }

  #connect(vad: number, port: MessagePort): void {
    const client = this.of(vad)
    port.on('message', (message: FromVad) => {
      client.answered(message)
      this.#onResults()
    })
    port.once('close', () => {
      client.disconnect(new Error('the voice activity thread ended'), port)
      this.#onResults()
    })
    client.connect(port)
  }
}
