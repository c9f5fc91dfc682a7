// What an agent without a language model says to opt-outs, wrong persons and call-back requests.
import { dictationLanguage } from '../dictation/tokens.ts'
import { spokenTime } from './callback-time.ts'

type CampaignPhrases = {
  opt_out: string
  wrong_person: string
  /** Asks for the time of a call-back. */
  when: string
  noTime: string
  scheduled(atMs: number, timeZone: string): string
}

const all = {
  pt: {
    opt_out: 'Certo, não vamos mais ligar para este número. Desculpe o incômodo. Até logo!',
    wrong_person: 'Desculpe o engano. Não vamos mais ligar para este número. Até logo!',
    when: 'Claro. Em que dia e horário podemos ligar?',
    noTime: 'Desculpe, não podemos ligar nesse horário. Pode ser em outro dia?',
    scheduled: (time: string) => `Combinado, ligamos de volta: ${time}. Até logo!`,
  },
  en: {
    opt_out: 'All right, we will not call this number again. Sorry for the trouble. Goodbye!',
    wrong_person: 'Sorry for the mistake. We will not call this number again. Goodbye!',
    when: 'Of course. On which day and at what time may we call?',
    noTime: 'Sorry, we cannot call at that time. Could it be another day?',
    scheduled: (time: string) => `All right, we will call you back: ${time}. Goodbye!`,
  },
  es: {
    opt_out: 'De acuerdo, no volveremos a llamar a este número. Disculpe la molestia. ¡Hasta luego!',
    wrong_person: 'Disculpe la equivocación. No volveremos a llamar a este número. ¡Hasta luego!',
    when: 'Claro. ¿Qué día y a qué hora podemos llamar?',
    noTime: 'Disculpe, no podemos llamar a esa hora. ¿Puede ser otro día?',
    scheduled: (time: string) => `De acuerdo, le llamamos: ${time}. ¡Hasta luego!`,
  },
} as const

export function campaignPhrases(language: string): CampaignPhrases {
  const words = all[dictationLanguage(language)]
  return { ...words, scheduled: (atMs, timeZone) => words.scheduled(spokenTime(atMs, { language, timeZone })) }
}
