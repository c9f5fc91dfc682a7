// Why a transfer failed, for the model: a code, and a sentence in the agent's language that it may say to the caller.
import type { ActOutcome } from '../voice/ports.ts'

type Failure = Exclude<ActOutcome['status'], 'connected' | 'done'>

const sentences: Readonly<Record<string, Readonly<Record<Failure, string>>>> = {
  pt: {
    no_answer: 'Não consegui transferir a ligação: ninguém atendeu. Continuo com você na linha.',
    busy: 'Não consegui transferir a ligação: o número está ocupado. Continuo com você na linha.',
    voicemail: 'Não consegui transferir a ligação: caiu na caixa postal. Continuo com você na linha.',
    failed: 'Não consegui transferir a ligação agora. Continuo com você na linha.',
    canceled: 'A transferência foi cancelada.',
  },
  en: {
    no_answer: 'I could not transfer the call: nobody answered. I am still on the line with you.',
    busy: 'I could not transfer the call: the line is busy. I am still on the line with you.',
    voicemail: 'I could not transfer the call: it went to voicemail. I am still on the line with you.',
    failed: 'I could not transfer the call just now. I am still on the line with you.',
    canceled: 'The transfer was cancelled.',
  },
  es: {
    no_answer: 'No pude transferir la llamada: nadie contestó. Sigo con usted en la línea.',
    busy: 'No pude transferir la llamada: la línea está ocupada. Sigo con usted en la línea.',
    voicemail: 'No pude transferir la llamada: entró el buzón de voz. Sigo con usted en la línea.',
    failed: 'No pude transferir la llamada en este momento. Sigo con usted en la línea.',
    canceled: 'La transferencia se canceló.',
  },
}

/** As JSON, like every other result. */
export function notTransferred(status: Failure, language: string): string {
  const known = sentences[language.slice(0, 2).toLowerCase()] ?? sentences.en
  return JSON.stringify({ code: 'not_transferred', status, message: known?.[status] })
}
