// The benchmark's texts, the same for every engine.

/** A short clause, which has a tighter target for first audio. */
export const clause = 'Olá, aqui é a Ana.'

/** One sentence of about five seconds with no comma near its start. */
export const sentence = 'Não encontrei nenhum horário disponível na quinta-feira pela manhã com o doutor Carlos.'

/** Endless speech, about 4 s per sentence; every stream starts with a different one. */
const talk = [
  'Sua consulta ficou marcada para terça-feira, dia quatorze de outubro, às quinze e trinta.',
  'Vou mandar uma mensagem com o endereço, e se precisar mudar é só responder.',
  'O nosso escritório fica na Avenida Paulista, perto da estação do metrô.',
  'O prazo de entrega é de doze dias úteis, contados a partir da confirmação do pagamento.',
  'Posso ajudar em mais alguma coisa, ou prefere falar com um dos nossos atendentes?',
  'O valor total da compra é de mil duzentos e cinquenta reais, em até dez vezes sem juros.',
]
const CHARACTERS_PER_SECOND = 16

/** Text of about this many seconds; no two streams say the same at the same moment. */
export function talkOf(seconds: number, stream = 0): string {
  const said: string[] = []
  for (let i = stream, length = 0; length < seconds * CHARACTERS_PER_SECOND; i++) {
    const next = talk[i % talk.length] as string
    said.push(next)
    length += next.length
  }
  return said.join(' ')
}

/** Replies of two sentences, about 4 s in total. */
const answers: readonly (readonly string[])[] = [
  ['Claro, posso marcar para quinta-feira às dez da manhã.', 'Esse horário serve para você?'],
  ['O seu pedido saiu ontem do nosso depósito e chega amanhã.', 'Quer que eu mande o código?'],
  ['Entendi, a segunda via do boleto vai para o seu e-mail.', 'Mais alguma coisa?'],
  ['Não encontrei nenhum horário livre na sexta-feira.', 'Pode ser na segunda de manhã?'],
  ['A consulta com a doutora Helena custa duzentos e oitenta reais.', 'Aceitamos cartão e Pix.'],
  ['Pronto, o seu endereço já foi atualizado no cadastro.', 'A entrega continua para amanhã.'],
  ['O nosso escritório fica na Avenida Paulista, perto do metrô.', 'Abrimos às oito.'],
]

/** The sentences of a reply; callers answered at the same moment hear different ones. */
export const sentencesOfReply = (turn: number): readonly string[] => answers[turn % answers.length] as readonly string[]

/** Utterances of about 1, 3 and 6 seconds, as a caller would say them. */
export const utterances: readonly { seconds: number; text: string }[] = [
  { seconds: 1, text: 'Sim, pode ser.' },
  { seconds: 3, text: 'Eu queria marcar uma consulta para a semana que vem.' },
  {
    seconds: 6,
    text: 'Eu comprei um telefone na loja de vocês no mês passado e até agora não recebi a nota fiscal no meu endereço.',
  },
]
