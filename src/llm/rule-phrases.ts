// Phrases and patterns of the rule agent in its three languages. Patterns match folded text.
import type { Language } from './words.ts'

export type Phrases = {
  greeting: string
  goodbye: string
  welcome: string
  askBack: string
  askBackAgain: string
  done: string
  need: (what: string) => string
  yes: string
  no: string
}

export const phrases: Readonly<Record<Language, Phrases>> = {
  pt: {
    greeting: 'Olá! Em que posso ajudar?',
    goodbye: 'Obrigado pelo contato. Até logo!',
    welcome: 'De nada! Posso ajudar em mais alguma coisa?',
    askBack: 'Desculpe, não tenho essa informação. Pode perguntar de outra forma?',
    askBackAgain: 'Ainda não entendi. O que exatamente você gostaria de saber?',
    done: 'Pronto.',
    need: (what) => `Para isso preciso de mais um dado: ${what}. Pode me dizer?`,
    yes: 'sim',
    no: 'não',
  },
  es: {
    greeting: '¡Hola! ¿En qué puedo ayudarle?',
    goodbye: 'Gracias por llamar. ¡Hasta luego!',
    welcome: '¡De nada! ¿Puedo ayudarle en algo más?',
    askBack: 'Disculpe, no tengo esa información. ¿Puede preguntarlo de otra manera?',
    askBackAgain: 'Todavía no le entiendo. ¿Qué le gustaría saber exactamente?',
    done: 'Listo.',
    need: (what) => `Para eso necesito un dato más: ${what}. ¿Me lo puede decir?`,
    yes: 'sí',
    no: 'no',
  },
  en: {
    greeting: 'Hello! How can I help you?',
    goodbye: 'Thank you for calling. Goodbye!',
    welcome: 'You are welcome! Is there anything else I can help with?',
    askBack: 'Sorry, I do not have that information. Could you ask it in another way?',
    askBackAgain: 'I still do not follow. What exactly would you like to know?',
    done: 'Done.',
    need: (what) => `For that I need one more thing: ${what}. Could you tell me?`,
    yes: 'yes',
    no: 'no',
  },
}

type Signs = Readonly<Record<'farewell' | 'thanks' | 'repeat' | 'refusal' | 'person' | 'interrogative', RegExp>>

export const signs: Readonly<Record<Language, Signs>> = {
  pt: {
    farewell:
      /\b(tchau|xau|adeus|ate (logo|mais|breve|amanha|a proxima)|(pode|vou|quero) (desligar|encerrar)|so isso|mais nada|nao,? (muito )?obrigad[oa])\b/,
    thanks: /\b(obrigad[oa]|valeu|agradeco|agradecid[oa])\b/,
    repeat: /\b(repet(e|ir|a|iria)|de novo|nao (ouvi|escutei|entendi)|como e que e)\b/,
    refusal: /^\W*(nao|nada)\W*$/,
    person: /\b(falar com|atendente|humano|transfer\w*|me (passa|passe)|operador\w*)\b/,
    interrogative: /\?|^(qual|quais|quem|quando|quanto|quantos|quantas|como|onde|por que|que|voces?|tem|posso)\b/,
  },
  es: {
    farewell:
      /\b(adios|chao|chau|hasta (luego|manana|pronto|la proxima)|eso es todo|nada mas|(puede|voy a|quiero) colgar|no,? (muchas )?gracias)\b/,
    thanks: /\b(gracias|agradezco|agradecid[oa])\b/,
    repeat: /\b(repet(ir|irlo)|repit(e|a|elo|alo)|otra vez|de nuevo|no (oi|escuche|entendi|le oi))\b/,
    refusal: /^\W*(no|nada)\W*$/,
    person: /\b(hablar con|humano|persona|transf(er|ier)\w*|pas(e|ar)me|operador|asesor)\b/,
    interrogative: /[?¿]|^(cual|cuales|quien|cuando|cuanto|cuantos|cuantas|como|donde|por que|que|tienen?|puedo)\b/,
  },
  en: {
    farewell:
      /\b(bye|goodbye|see you|that.?s all|that is all|that will be all|nothing else|hang up|no,? thanks?( you)?|have a (nice|good|great) (day|evening|night|one|weekend))\b/,
    thanks: /\b(thanks|thank you|cheers)\b/,
    repeat: /\b(repeat|again|pardon|say that|did not (hear|catch|understand)|didn.?t (hear|catch|understand))\b/,
    refusal: /^\W*(no|nope|nothing)\W*$/,
    person: /\b((speak|talk) (to|with)|human|transfer\w*|representative|operator|put me through|real person)\b/,
    interrogative: /\?|^(what|which|who|when|how|where|why|is|are|do|does|can|could|may)\b/,
  },
}

/** Hang-up tools are used with a goodbye only; transfer tools when the caller asks for a person. */
export const endsCall =
  /^(end|finish|close|terminate)_?(the_?)?(call|conversation)|hang_?up|encerrar|desligar|colgar|(finalizar|terminar)_(a_|la_)?(chamada|ligacao|llamada|conversa)/
export const passesOn = /transfer|human|operator|atendente|asesor|handoff|forward/

/** Words of a greeting that are not already stop words. */
export const isGreeting = (plain: string) =>
  /\b(oi|ola|alo|bom dia|boa (tarde|noite)|opa|hola|buen(os|as)? (dias?|tardes|noches)|buenas|hi|hello|hey|good (morning|afternoon|evening))\b/.test(
    plain,
  )
