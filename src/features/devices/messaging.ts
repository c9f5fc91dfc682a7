// Device texts: received from drivers, answered in conversations, and sent by tools.
import { AppError } from '../../base/errors/errors.ts'
import type { Log } from '../../base/process/log.ts'
import { storable } from '../../base/text/storable.ts'
import type { SentText, TextIn } from './driver-port.ts'
import type { GatewayService } from './gateways.ts'
import { type TextAnswerParts, textAnswers } from './text-answers.ts'
import type { ClaimedText } from './text-queue.ts'
import { textWorker } from './text-worker.ts'
import { type TextBudget, toolTexts, whyNotSent } from './tool-texts.ts'

type MessagingParts = TextAnswerParts & {
  service: GatewayService
  /** Counts a text sent through the operator's WhatsApp account; throws an AppError if the budget is used up. */
  spendText(userId: string): Promise<void>
  log: Log
  /** The delay before the first retry. */
  pauseMs?: number | undefined
}

/** Longer than any phone sends; longer texts are truncated. */
const MAX_TEXT = 8000
const MAX_NAME = 255

export function deviceMessaging(parts: MessagingParts) {
  const { db, states, texts, service, log, pauseMs } = parts

  /** Every attempt counts, but only on WhatsApp: the user's own phones and gateways cost the operator nothing. */
  const spend: TextBudget = async ({ driver, userId }) => {
    if (driver !== 'whatsapp') return undefined
    return parts.spendText(userId).then(
      () => undefined,
      (error) => {
        if (error instanceof AppError) return error
        throw error
      },
    )
  }

  async function send(text: ClaimedText): Promise<SentText> {
    const device = await states.row(text.deviceId)
    if (!device) return { ok: false, error: 'The device is gone' }
    const problem = whyNotSent(device) ?? (await spend(device))?.message
    if (problem) return { ok: false, error: problem }
    return service.sendText(device, text.peer, text.text, text.id, text.own)
  }

  const worker = textWorker({ texts, device: states.row, answer: textAnswers(parts), send, log, pauseMs })
  return {
    ...worker,

    /** True once the text is stored, now or earlier. */
    async received({ deviceId, from, text, key, to }: TextIn): Promise<boolean> {
      const device = await states.row(deviceId)
      if (!device || device.status === 'disabled') return false
      const content = storable(text).slice(0, MAX_TEXT).toWellFormed()
      if (content === '') return true
      await texts.received({
        userId: device.userId,
        deviceId,
        key: storable(key).slice(0, MAX_NAME),
        peer: storable(from).slice(0, MAX_NAME),
        own: to ? storable(to).slice(0, MAX_NAME) : null,
        text: content,
      })
      worker.wake()
      return true
    },

    /** Sends a text for a tool. */
    send: toolTexts({ db, texts, service, spend }),
  }
}
