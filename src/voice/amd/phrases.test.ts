// Who speaks, judged by the words, in three languages.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answeredByWords } from './phrases.ts'

const machine = [
  'Sua chamada está sendo encaminhada para a caixa postal.',
  'Sua chamada está sendo encaminhada para a caixa postal e estará sujeita a cobrança após o sinal.',
  'Oi, aqui é o João. Deixe sua mensagem após o sinal.',
  'Deixe o seu recado depois do bip.',
  'Grave seu recado.',
  'Grave sua mensagem após o bipe.',
  'Fale após o sinal.',
  'Depois do bip, fale.',
  'Você ligou para a Clínica São Lucas. No momento não podemos atender, deixe uma mensagem.',
  'Você ligou para o João. Deixe seu recado que eu retorno.',
  'No momento não posso atender, deixe seu nome e telefone que eu retorno.',
  'Oi, não posso te atender agora, mas deixa recado.',
  'O número chamado encontra-se desligado ou fora da área de cobertura.',
  'O número chamado está desligado ou fora da área de cobertura.',
  'Este número está temporariamente indisponível.',
  'O telefone para o qual você ligou, digo, o telefone chamado não pode receber ligações.',
  'O celular chamado está fora da área de serviço.',
  'Este número está programado para não receber chamadas.',
  'Correio de voz. Após o tom, grave a sua mensagem.',
  'Sua mensagem será gravada e entregue em seguida.',
  'Vivo informa, este celular está desligado ou sem sinal no momento.',
  'Your call cannot be completed as dialed.',
  "Sorry I missed your call, leave your name and number and I'll get back to you.",
  'Su llamada será transferida al buzón.',
  'Speak after the tone.',
  "Hi, you've reached Ann. Please leave a message after the tone.",
  'You have reached the voicemail of five five five.',
  'At the beep, leave your name and number.',
  "I can't come to the phone right now.",
  "Hi, it's Bob, leave me a message and I'll call you back as soon as I can.",
  'The person you called is not available to take your call.',
  'The person you are trying to reach is not available.',
  "The person you're trying to reach is not available. Please record your message.",
  'Your call has been forwarded to an automated voice messaging system.',
  'The wireless customer is not available.',
  'The number you have dialed is not in service.',
  'When you have finished recording, you may hang up.',
  'Hable después del tono.',
  'Hola, deje su mensaje después del tono.',
  'Ha llamado al buzón de voz de Ana.',
  'Deja un mensaje después de oír la señal.',
  'El número al que llama no está disponible.',
  'El número que usted marcó se encuentra apagado o fuera del área de servicio.',
  'La persona con la que intenta comunicarse no está disponible.',
  'Hola, soy Luis, en este momento no puedo atenderte, deja tu mensaje.',
  'Grabe su mensaje al escuchar la señal.',
]
const ivr = [
  'Bem-vindo ao banco. Para segunda via de boleto, digite 1.',
  'Para falar com vendas disque dois.',
  'Digite o ramal desejado ou aguarde.',
  'Tecle o número da opção.',
  'For sales, press 1. For support, press two.',
  'Please enter your account number.',
  'Para ventas, marque uno; para soporte, marque dos.',
  'Presione la tecla 3.',
]
const assistants = [
  'Oi, a pessoa para quem você ligou usa um serviço de triagem de chamadas do Google. Diga seu nome e o motivo da ligação.',
  'Diga o seu nome e o motivo da ligação após o sinal.',
  'Vou verificar se ela pode atender.',
  "Hi, if you record your name and reason for calling, I'll see if this person is available.",
  "Please state your name and why you're calling.",
  'The person you are calling is using a screening service from Google.',
  'Please say your name after the tone and Google Voice will try to connect you.',
  'Diga su nombre y el motivo de la llamada.',
]
const people = [
  'Alô?',
  'Alô, quem fala?',
  'Oi, bom dia.',
  'Clínica São Lucas, Maria, bom dia, em que posso ajudar?',
  'Agora não posso atender, estou dirigindo.',
  'Não posso falar agora, liga depois.',
  'Pode deixar, eu falo com ele depois.',
  'Ele não está, quer deixar recado?',
  'Ela saiu, gostaria de deixar uma mensagem?',
  'Deixe o recado comigo, por favor.',
  'Deixa seu nome que eu falo pra ele te ligar.',
  'Leave your name and I will tell him you called.',
  'Depois do sinal vira à direita, já chego aí.',
  'Deixa uma mensagem no meu zap que eu respondo.',
  'O celular dele está desligado, é só mais tarde.',
  'Vocês ligaram ontem e caiu na caixa postal, né?',
  'Ouvi sua mensagem no correio de voz.',
  'O telefone está ruim, repete por favor.',
  'Estou fora, em outra cidade.',
  'Ela não pode atender agora, está em reunião. Quem gostaria?',
  'Hello?',
  'Yes, this is Ann speaking.',
  "I'm busy, can you call me tomorrow?",
  'He is out, would you like to leave a message?',
  'Can I take a message?',
  'I got your voicemail yesterday.',
  "She's not available at the moment, who is calling?",
  '¿Bueno? ¿Quién habla?',
  'Sí, dígame.',
  'No está, ¿quiere dejar un recado?',
  'Ahora no puedo atender, llámeme más tarde.',
  'Meu número é cinco cinco.',
  '',
]

test('a mailbox is known by its words', () => {
  for (const text of machine) assert.equal(answeredByWords(text), 'machine', text)
})
test('a menu is known by its words', () => {
  for (const text of ivr) assert.equal(answeredByWords(text), 'ivr', text)
})
test('an assistant that screens calls speaks for a person', () => {
  for (const text of assistants) assert.equal(answeredByWords(text), 'human', text)
})
test('people who offer to take a message, or tell of a mailbox, are none', () => {
  for (const text of people) assert.equal(answeredByWords(text), null, text)
})
test('a voicemail greeting that also offers keys is voicemail', () => {
  assert.equal(answeredByWords('Deixe sua mensagem após o sinal. Para ouvir de novo, digite 1.'), 'machine')
})
test('a very long text does not cost more than its length', () => {
  // With quadratic cost this would take hours.
  assert.equal(answeredByWords('para '.repeat(2_000_000)), answeredByWords('para '.repeat(2000)))
})
