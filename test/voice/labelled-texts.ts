// What people, mailboxes and menus say in the labelled answers, in three languages, and the voices that say it.
export const voices = {
  pt: ['pt-br', 'pt-br+f2', 'pt-br+m3'],
  en: ['en-us', 'en-us+f3', 'en-us+m7'],
  es: ['es', 'es+f2', 'es+m3'],
} as const
export type Language = keyof typeof voices
export const languages = Object.keys(voices) as Language[]

export const texts: Readonly<Record<string, Readonly<Record<Language, readonly string[]>>>> = {
  hello: {
    pt: ['Alô?', 'Oi, bom dia.', 'Alô, quem fala?'],
    en: ['Hello?', 'Yes, hello?', 'Ann speaking.'],
    es: ['¿Bueno?', 'Sí, dígame.', '¿Aló, quién habla?'],
  },
  again: { pt: ['Alô?', 'Tem alguém aí?'], en: ['Hello?', 'Is anybody there?'], es: ['¿Aló?', '¿Hay alguien?'] },
  reception: {
    pt: [
      'Clínica São Lucas, aqui é a Maria, muito bom dia, em que posso ajudar?',
      'Bom dia, obrigado por ligar para a Auto Peças Central, meu nome é Carlos, com quem eu falo, por favor?',
    ],
    en: ['Good morning, Saint Luke Clinic, this is Mary speaking, thank you for calling, how may I help you today?'],
    es: ['Clínica San Lucas, muy buenos días, habla María, gracias por llamar, ¿en qué puedo servirle el día de hoy?'],
  },
  offer: {
    pt: ['Ele saiu agora há pouco, você quer deixar recado?'],
    en: ['He is not here right now, would you like to leave a message?'],
    es: ['Ahora no está en casa, ¿quiere dejar un recado?'],
  },
  assistant: {
    pt: ['A pessoa para quem você está ligando usa um assistente. Diga seu nome e o motivo da ligação.'],
    en: ["If you record your name and reason for calling, I'll see if this person is available."],
    es: ['Esta persona usa un asistente. Diga su nombre y el motivo de la llamada.'],
  },
  owner: {
    pt: ['Oi, aqui é o João. No momento não posso atender, deixe seu recado depois do sinal.'],
    en: ["Hi, you've reached Ann. I can't come to the phone right now, please leave a message after the tone."],
    es: ['Hola, soy Ana. En este momento no puedo atenderte, deja tu mensaje después del tono.'],
  },
  brief: { pt: ['Oi, é o João.', 'Aqui é a Maria.'], en: ["Hi, it's Bob.", 'This is Ann.'], es: ['Hola, soy Luis.'] },
  carrier: {
    pt: [
      'Sua chamada está sendo encaminhada para a caixa postal e estará sujeita a cobrança após o sinal.',
      'O número chamado está desligado ou fora da área de cobertura. Tente mais tarde.',
    ],
    en: ['The person you are trying to reach is not available. Please try again later.'],
    es: ['El número al que llama no está disponible en este momento. Intente más tarde.'],
  },
  menu: {
    pt: ['Bem-vindo ao banco. Para segunda via de boleto, digite 1. Para falar com um atendente, digite 9.'],
    en: ['Welcome to the bank. For sales, press 1. For support, press 2.'],
    es: ['Bienvenido al banco. Para ventas, marque 1. Para soporte, marque 2.'],
  },
}
