// Built-in phrases in the agent's language: fillers, reminders, apologies, goodbyes.
import type { Phrase } from './turn/state.ts'

const phrases: Readonly<Record<string, Readonly<Record<Phrase, readonly string[]>>>> = {
  pt: {
    filler: ['Um momento, por favor.', 'Só mais um instante, por favor.', 'Ainda estou verificando.'],
    reminder: ['Você ainda está aí?', 'Alô? Ainda posso ajudar?'],
    apology: ['Desculpe, tive um problema. Pode repetir, por favor?'],
    'not-heard': ['Desculpe, não ouvi bem. Pode repetir?'],
    'not-understood': [
      'Desculpe, não entendi. Pode repetir?',
      'Não consegui entender direito. Pode falar de novo, por favor?',
      'Ainda não entendi. Pode falar um pouco mais devagar?',
    ],
    interject: ['Desculpe interromper, só um instante.', 'Com licença, deixa eu falar rapidinho.'],
    goodbye: ['Desculpe, não consigo ajudar agora. Por favor, ligue mais tarde.'],
    farewell: ['Certo. Até logo!'],
    warning: ['Nosso tempo está acabando: a ligação termina em meio minuto.'],
    'not-transferred': ['Desculpe, não consegui transferir a ligação agora. Pode continuar falando comigo.'],
  },
  en: {
    filler: ['One moment, please.', 'Just a little longer, please.', 'I am still checking.'],
    reminder: ['Are you still there?', 'Hello? Can I still help you?'],
    apology: ['Sorry, something went wrong. Could you say that again, please?'],
    'not-heard': ['Sorry, I did not hear you well. Could you repeat that?'],
    'not-understood': [
      "Sorry, I didn't catch that. Could you say it again?",
      "I'm sorry, I still didn't get that. Could you repeat it, please?",
      'I had trouble understanding you. Could you speak a little more slowly?',
    ],
    interject: ['Sorry to interrupt, just a moment.', 'Excuse me, let me say something quickly.'],
    goodbye: ['Sorry, I cannot help you right now. Please call again later.'],
    farewell: ['All right. Goodbye!'],
    warning: ['Our time is nearly over: this call ends in half a minute.'],
    'not-transferred': ['Sorry, I could not transfer the call just now. Please go on talking to me.'],
  },
  es: {
    filler: ['Un momento, por favor.', 'Solo un instante más, por favor.', 'Sigo verificando.'],
    reminder: ['¿Sigue ahí?', '¿Hola? ¿Puedo ayudarle en algo más?'],
    apology: ['Disculpe, tuve un problema. ¿Puede repetirlo, por favor?'],
    'not-heard': ['Disculpe, no le oí bien. ¿Puede repetirlo?'],
    'not-understood': [
      'Disculpe, no le entendí. ¿Puede repetirlo?',
      'Perdone, no logré entenderle. ¿Me lo dice otra vez, por favor?',
      'Todavía no le entendí. ¿Puede hablar un poco más despacio?',
    ],
    interject: ['Disculpe que le interrumpa, solo un momento.', 'Perdone, permítame decirle algo rápido.'],
    goodbye: ['Disculpe, no puedo ayudarle ahora. Por favor, llame más tarde.'],
    farewell: ['De acuerdo. ¡Hasta luego!'],
    warning: ['Nuestro tiempo se acaba: la llamada termina en medio minuto.'],
    'not-transferred': ['Disculpe, no pude transferir la llamada ahora. Puede seguir hablando conmigo.'],
  },
}

export function phraseFor(language: string, phrase: Phrase, times = 0): string {
  const known = phrases[language.slice(0, 2).toLowerCase()] ?? (phrases.en as (typeof phrases)[string])
  const variants = known[phrase]
  return variants[times % variants.length] as string
}
