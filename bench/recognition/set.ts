// What callers say to a clinic or a shop, with the agent's preceding question: the set that recognition is measured on.

export type Kind = 'sentence' | 'word' | 'number' | 'hesitant'
/** `text`: its parts, separated by " … ", are spoken one by one with pauses between them. */
export type Said = { kind: Kind; language: string; question: string; text: string }

const how = 'Clínica Aurora, bom dia. Em que posso ajudar?'
const shop = 'Loja Central, boa tarde. Em que posso ajudar?'

const of = (kind: Kind, language: string, all: readonly (readonly [question: string, text: string])[]): Said[] =>
  all.map(([question, text]) => ({ kind, language, question, text }))

const sentencesPt = of('sentence', 'pt-BR', [
  [how, 'Qual é o endereço da clínica?'],
  [how, 'Que horas a clínica abre?'],
  [how, 'Eu queria marcar uma consulta para sexta-feira.'],
  [how, 'Vocês atendem pelo convênio Unimed?'],
  [how, 'Quanto custa uma consulta particular?'],
  [how, 'Preciso remarcar a consulta da minha filha.'],
  [how, 'Quero cancelar o horário de amanhã.'],
  [how, 'A doutora Helena atende na quinta-feira?'],
  [how, 'Tem estacionamento no local?'],
  [how, 'Vocês abrem aos sábados?'],
  [how, 'Gostaria de saber o resultado do meu exame.'],
  [how, 'Preciso falar com a recepção, por favor.'],
  ['Qual é o seu nome completo?', 'Meu nome é Maria da Silva.'],
  ['Qual é o seu nome completo?', 'Eu me chamo João Carlos Pereira.'],
  ['Qual é o melhor dia para você?', 'Pode ser na quarta-feira de manhã.'],
  ['Qual é o melhor dia para você?', 'Prefiro segunda-feira à tarde.'],
  ['Qual horário você prefere?', 'Às três e meia da tarde.'],
  ['Qual horário você prefere?', 'Depois das quatro, se possível.'],
  ['Posso confirmar a consulta?', 'Pode confirmar, por favor.'],
  ['Posso confirmar a consulta?', 'Não, eu quero outro horário.'],
  ['Você já é paciente da clínica?', 'Não, é a minha primeira vez.'],
  ['Qual é o motivo da consulta?', 'Estou com dor de cabeça há três dias.'],
  ['Qual é o motivo da consulta?', 'É só uma consulta de rotina.'],
  [shop, 'Quero saber onde está o meu pedido.'],
  [shop, 'O produto chegou com defeito.'],
  [shop, 'Vocês entregam em Campinas?'],
  [shop, 'Qual é o prazo de entrega?'],
  [shop, 'Gostaria de trocar uma camisa.'],
  [shop, 'Ainda não recebi a nota fiscal.'],
  [shop, 'Posso pagar no cartão de crédito?'],
  [shop, 'Vocês têm esse modelo em azul?'],
  [shop, 'Quero falar com um atendente.'],
  [shop, 'Vocês parcelam em quantas vezes?'],
  [shop, 'Qual é o valor do frete?'],
  ['Como prefere pagar?', 'Vou pagar com pix.'],
  ['Qual é o tamanho?', 'Tamanho médio, por favor.'],
  ['Mais alguma coisa?', 'Não, era só isso, obrigado.'],
  ['Mais alguma coisa?', 'Sim, preciso de um recibo.'],
  ['Qual é a cidade de entrega?', 'Eu moro em Belo Horizonte.'],
  ['Desculpe, pode repetir?', 'Eu disse que quero devolver o produto.'],
])

const wordsPt = of('word', 'pt-BR', [
  ['Posso confirmar a consulta?', 'Sim.'],
  ['Posso confirmar a consulta?', 'Não.'],
  ['Alô, quem fala?', 'Alô?'],
  ['Quantas pessoas?', 'Dois.'],
  ['Quantas pessoas?', 'Três.'],
  ['Vou verificar, um momento.', 'Ok.'],
  ['A consulta é na sexta, certo?', 'Isso.'],
  ['Posso anotar seus dados?', 'Claro.'],
  ['Posso confirmar a consulta?', 'Pode.'],
  ['Quer marcar outro horário?', 'Quero.'],
  ['Qual é o melhor dia para você?', 'Segunda.'],
  ['Qual é o melhor dia para você?', 'Amanhã.'],
  ['Prefere manhã ou tarde?', 'Tarde.'],
  ['Prefere manhã ou tarde?', 'De manhã.'],
  ['Tudo certo?', 'Tá bom.'],
  ['Mais alguma coisa?', 'Obrigado.'],
  ['Qual é o seu nome?', 'Maria.'],
  ['Como prefere pagar?', 'Pix.'],
])
const wordsOther = [
  ...of('word', 'en-US', [
    ['Shall I book the appointment?', 'Yes.'],
    ['Shall I book the appointment?', 'No.'],
    ['How many people?', 'Two.'],
    ['I will check that for you.', 'Okay.'],
  ]),
  ...of('word', 'es-ES', [
    ['¿Confirmo la cita?', 'Sí.'],
    ['¿Confirmo la cita?', 'No.'],
    ['¿Qué día prefiere?', 'Lunes.'],
    ['¿Puedo tomar sus datos?', 'Claro.'],
  ]),
]

const cpf = 'Qual é o número do seu CPF?'
const phone = 'Qual é o seu telefone com DDD?'
const numbers = of('number', 'pt-BR', [
  [cpf, 'cinco dois nove … nove oito dois … dois quatro sete … dois cinco'],
  [cpf, 'um um um … quatro quatro quatro … sete sete sete … três cinco'],
  [cpf, 'zero oito sete … seis cinco um … três nove zero … um quatro'],
  [cpf, 'três nove zero … cinco três três … quatro quatro sete … zero cinco'],
  [phone, 'onze … nove oito sete meia cinco … quatro três dois um'],
  [phone, 'dezenove … nove nove um dois três … quatro cinco meia sete'],
  [phone, 'vinte e um … nove sete dois dois … zero um oito três'],
  [phone, 'zero onze … três meia quatro oito … um dois zero zero'],
  ['Qual é o CEP?', 'zero um três um zero … um zero zero'],
  ['Qual é o número do pedido?', 'quatro cinco … oito dois … nove sete'],
])

const hesitant = of('hesitant', 'pt-BR', [
  [how, 'Eu queria … marcar uma consulta … para sexta-feira.'],
  [how, 'Então … eu preciso … cancelar o meu horário.'],
  [how, 'Ah … vocês atendem … pelo convênio Unimed?'],
  [how, 'Eu gostaria de … saber o preço … da consulta particular.'],
  [how, 'Bom dia … eu queria saber … se a doutora Helena atende na quinta.'],
  ['Qual é o melhor dia para você?', 'Olha … pode ser … na quarta-feira de manhã.'],
  ['Qual é o motivo da consulta?', 'Eu estou com … uma dor nas costas … há uns cinco dias.'],
  [shop, 'Eu comprei … um celular … e ele não liga.'],
  [shop, 'Eu quero … trocar … o tamanho da camisa.'],
  ['Mais alguma coisa?', 'Sim … eu também preciso … de um recibo.'],
])

const sentencesOther = [
  ...of('sentence', 'en-US', [
    ['Aurora Clinic, how can I help?', 'I would like to book an appointment for Friday.'],
    ['Aurora Clinic, how can I help?', 'What time do you open tomorrow?'],
    ['Aurora Clinic, how can I help?', 'What is the address of the clinic?'],
    ['What is your full name?', 'My name is John Miller.'],
    ['Anything else?', 'No, that is all, thank you.'],
  ]),
  ...of('sentence', 'es-ES', [
    ['Clínica Aurora, ¿en qué puedo ayudarle?', 'Quisiera pedir una cita para el viernes.'],
    ['Clínica Aurora, ¿en qué puedo ayudarle?', '¿A qué hora abren mañana?'],
    ['Clínica Aurora, ¿en qué puedo ayudarle?', '¿Cuál es la dirección de la clínica?'],
    ['¿Cuál es su nombre completo?', 'Me llamo María García.'],
    ['¿Algo más?', 'No, eso es todo, gracias.'],
  ]),
]

export const recognitionSet: readonly Said[] = [
  ...sentencesPt,
  ...sentencesOther,
  ...wordsPt,
  ...wordsOther,
  ...numbers,
  ...hesitant,
]

/** The vocabulary hints of these agents, as an operator would write them. */
export const hintsOf: Readonly<Record<string, readonly string[]>> = {
  'pt-BR': ['Clínica Aurora', 'doutora Helena', 'Unimed', 'convênio', 'endereço', 'horário', 'pedido', 'pix'],
  'en-US': ['Aurora Clinic', 'appointment'],
  'es-ES': ['Clínica Aurora', 'cita'],
}

/** The prompts of these agents, whose words and names they expect. */
export const promptOf: Readonly<Record<string, string>> = {
  'pt-BR':
    'Você é a recepcionista da Clínica Aurora. Responda sobre horário, endereço, preço, convênio, estacionamento, exames e médicos. Marque e cancele consultas. Atende a doutora Helena; o convênio é Unimed.',
  'en-US':
    'You are the receptionist of the Aurora Clinic. Answer questions on opening hours, address, prices, insurance, parking, test results and doctors. Book and cancel appointments.',
  'es-ES':
    'Usted es la recepcionista de la Clínica Aurora. Responda sobre horario, dirección, precios, seguros, aparcamiento, resultados y médicos. Reserve y cancele citas.',
}

export const speakers: Readonly<Record<string, readonly string[]>> = {
  'pt-BR': ['pf_dora', 'pm_alex', 'pm_santa'],
  'en-US': ['af_heart', 'am_michael'],
  'es-ES': ['ef_dora', 'em_alex'],
}
