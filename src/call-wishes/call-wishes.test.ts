// Opt-outs and wrong persons recognized by their words, with near misses, in three languages.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CallWish, callWishIn } from './call-wishes.ts'

const names = ['Carlos Silva']
const wishes = (text: string): Map<string, CallWish | null> =>
  new Map(
    text
      .trim()
      .split('\n')
      .map((line) => [line.trim(), callWishIn(line.trim(), names)]),
  )

function allAre(expected: CallWish | null, text: string): void {
  const found = wishes(text)
  const wrong = [...found].filter(([, wish]) => wish !== expected)
  assert.deepEqual(wrong, [])
}

test('Portuguese: do not call again', () => {
  allAre(
    'opt_out',
    `Não me ligue mais.
    Por favor, não me liguem mais
    não liga mais pra mim
    Não me liga mais não
    Olha, não me ligue mais nesse número, por favor.
    Não quero que vocês me liguem mais
    Não quero mais que me liguem
    Não me ligue.
    não me liguem, por favor
    Nunca mais me ligue!
    Nunca mais liguem para este número
    não precisa mais me ligar
    Vocês podem parar de me ligar?
    Parem de me ligar
    Para de ligar pra cá
    Pare de me perturbar
    Tira meu número da lista
    Pode tirar o meu número da sua lista?
    Tira meu nome dessa lista aí
    Me tira da lista
    Me tirem da lista de vocês
    Quero sair dessa lista
    Gostaria de ser removido da lista
    Remova meu telefone do cadastro
    Remove meu contato, por favor
    Exclui meu número do sistema de vocês
    Apaga o meu número
    Quero me descadastrar
    Não quero receber mais ligações
    Não quero mais receber ligação de vocês
    Não quero receber esse tipo de ligação
    Não quero nenhum contato de vocês
    Não entrem mais em contato comigo
    Não entre em contato.
    Me deixa em paz!
    Me deixem em paz, por favor
    Já pedi para não me ligarem mais
    Já falei pra não ligar
    Meu número está cadastrado no não me perturbe
    Chega de ligação
    Não me perturbe mais
    Não tenho interesse, tira meu telefone da lista
    Bom dia. Olha, eu não quero. Não me ligue mais, tá?
    Não me ligue mais, agora tchau.
    Não me liga mais, agora tchau
    Não quero que me liguem mais, agora chega!
    Como eu faço para sair da lista?`,
  )
})

test('Portuguese: not the person', () => {
  allAre(
    'wrong_person',
    `Número errado
    Você ligou para o número errado
    Ligou errado
    Foi engano
    É engano, viu
    Engano.
    Vocês ligaram para a pessoa errada
    Não sou eu
    Não, não sou eu não
    Não sou o Carlos
    Aqui não é o Carlos
    Eu não sou essa pessoa
    Não conheço nenhum Carlos
    Não conheço essa pessoa
    Não tem ninguém aqui com esse nome
    Não tem ninguém com esse nome
    Esse número não é mais dele
    Esse telefone não é do Carlos
    Não é mais o número dela
    Ela não mora mais aqui
    Aqui não mora ninguém com esse nome`,
  )
})

test('Portuguese: near misses', () => {
  allAre(
    null,
    `Não me ligue hoje
    Não me ligue agora, estou dirigindo
    Não me ligue mais agora, obrigada
    Não me liga agora não
    Não me ligue mais hoje
    Não me ligue mais tarde, prefiro agora
    Não me ligue nesse horário
    Não me ligue antes das dez
    Não, me ligue amanhã
    Não, me liga mais tarde
    Parem de me ligar tão cedo
    Para de me ligar a essa hora
    Não me ligue no trabalho
    Por enquanto não me ligue
    Por que vocês não me ligaram mais?
    Vocês não vão me ligar mais?
    Minha filha não me liga mais
    Não tenho interesse
    Não quero
    Não, obrigado
    Não posso falar agora
    Não quero essa ligação gravada
    Tira meu número antigo e coloca o novo
    Tira meu nome do pedido
    Tira o leite da lista
    Me liga de volta
    Pode me ligar amanhã às dez
    Não sou eu quem decide
    Não sou eu que cuido disso
    Não, sou eu mesmo
    Sou eu
    Não sou o titular da conta
    Não sou cliente
    Não sou eu, um momento que vou chamar
    Não sou o Carlos, sou a esposa dele
    Ele não está
    O número do pedido está errado
    Eu passei o número errado
    É a pessoa errada?
    Não conheço esse produto
    Não conheço nenhum produto de vocês
    Aqui não tem nenhum problema
    Parem de me ligar aqui tão cedo
    Não tem problema
    Meu endereço está errado
    Estou no trânsito
    Alô? Quem fala?
    Você está enganado`,
  )
})

test('English: do not call again', () => {
  allAre(
    'opt_out',
    `Don't call me again.
    Do not call me again
    Please don't call me anymore
    Don’t ever call me again
    Don't call this number again
    Do not call here again
    Please do not call
    Don't call me.
    Never call me again
    Never call this number again
    Stop calling me
    Please stop calling
    Stop calling this number!
    Quit calling me
    Can you stop calling me?
    Remove me from your list
    Please remove me from your calling list
    Take me off your list
    Take me off the list, please
    Could you take my number off your list?
    Remove my number
    Delete my number please
    Remove my name from your database
    I want to be removed from your list
    How do I get off this list?
    Put me on your do not call list
    I'm on the do not call registry
    Unsubscribe me
    I want to unsubscribe
    I want to opt out
    I would like to opt out of these calls
    I don't want any more calls
    I don't want to receive calls from you
    I do not want you calling me
    I don't want to be called again
    No more calls please
    Leave me alone
    Lose my number
    I told you not to call me
    Don't contact me again
    Not interested. Don't call back.`,
  )
})

test('English: not the person', () => {
  allAre(
    'wrong_person',
    `Wrong number
    You have the wrong number
    Sorry, you've got the wrong person
    I think you dialed the wrong number
    That's not me
    This is not Carlos
    I'm not Carlos
    This isn't him
    There's nobody here by that name
    No one by that name lives here
    He doesn't live here
    She no longer lives here
    I've never heard of him
    I don't know that person
    I don't know anyone called Carlos
    I'm not the person you're looking for
    This number doesn't belong to him`,
  )
})

test('English: near misses', () => {
  allAre(
    null,
    `Don't call me today
    Don't call me right now
    Don't call me before ten
    Don't call me so early
    Don't call me again today
    Don't call me at work
    Please don't call after nine
    Don't call me Bob
    Why don't you call me tomorrow?
    Why did you stop calling me?
    Stop calling me sir
    Stop calling me so early
    You don't call me anymore
    I don't call people anymore
    No, call me tomorrow
    Call me back later
    Call me again next week
    Take me off hold
    Remove my name from the order
    Take my number and call me back
    Not interested
    No thank you
    I can't talk now
    I don't want to talk
    I don't want to buy anything
    Are you on a list?
    What is the do not call list?
    I gave you the wrong number
    We have the wrong number of chairs
    My order has the wrong number
    Is this the wrong number?
    That's not me who decides
    I'm not him, hold on, let me get him
    This is his wife
    He's not here
    I'm not interested
    This is not a good time
    I don't know
    Stop calling me here before nine
    I don't live in town
    Who is this?`,
  )
})

test('Spanish: do not call again', () => {
  allAre(
    'opt_out',
    `No me llame más
    No me llamen más, por favor
    Por favor no me llame más a este número
    No llamen más
    No me llame.
    No me llamen, por favor
    No quiero que me llamen más
    No quiero que me llamen
    No me vuelva a llamar
    No vuelvan a llamarme
    No quiero que vuelvan a llamar
    Nunca más me llamen
    Deje de llamarme
    Dejen de llamar
    ¿Pueden dejar de llamarme?
    Deje de molestar
    No me molesten más
    No me contacten más
    Quite mi número de la lista
    Quiten mi número de su lista
    Saque mi teléfono de la lista
    Elimine mi número
    Borre mi nombre de su lista
    Sáqueme de la lista
    Sáquenme de su lista
    Quítenme de la lista
    Bórreme de su base de datos
    ¿Me puede quitar de la lista?
    Quiero salir de esa lista
    Quiero darme de baja
    Deme de baja
    Denme de baja, por favor
    No quiero recibir más llamadas
    No quiero más llamadas
    No deseo recibir este tipo de llamadas
    Déjeme en paz
    Déjenme en paz
    Estoy en la lista Robinson
    Ya les dije que no me llamen
    No me interesa. No me llame más.
    Basta de llamadas`,
  )
})

test('Spanish: not the person', () => {
  allAre(
    'wrong_person',
    `Número equivocado
    Tiene el número equivocado
    Se equivocó de número
    Está equivocado de número
    Se ha confundido de persona
    Marcó mal
    Persona equivocada
    No soy yo
    No, no soy yo
    No soy Carlos
    Aquí no es Carlos
    No soy esa persona
    Aquí no vive
    Aquí no vive nadie con ese nombre
    Ya no vive aquí
    No hay nadie con ese nombre
    No conozco a esa persona
    No conozco a ningún Carlos
    Este número no es de él
    Este ya no es el teléfono de Carlos`,
  )
})

test('Spanish: near misses', () => {
  allAre(
    null,
    `No me llame hoy
    No me llame ahora, estoy manejando
    No me llame a esta hora
    No me llame más tarde, mejor ahora
    No me llamen tan temprano
    No me llame más hoy
    No me llame al trabajo
    No me llame antes de las diez
    Por ahora no me llame
    No, llámeme mañana
    No, me llama mañana
    ¿Por qué no me llaman más?
    ¿No me van a llamar más?
    Mi hijo no me llama más
    Deje de llamarme tan temprano
    Mi jefe no deja de llamarme
    Quiero dar de baja el servicio
    Deme de baja el servicio de internet
    Quite mi número antiguo y ponga el nuevo
    Quite mi nombre del pedido
    No me interesa
    No quiero
    No, gracias
    No puedo hablar ahora
    Llámeme más tarde
    Me puede llamar el lunes
    No soy yo quien decide
    No, soy yo
    Soy yo
    No soy el titular
    No soy yo, un momento, ya se lo paso
    No está
    Usted está equivocado
    El número del pedido está equivocado
    Di el número equivocado
    ¿Es el número equivocado?
    No conozco ese producto
    Aquí no hay ningún problema
    Dejen de llamarme a mi casa tan tarde
    No lo sé
    Aquí no hay problema
    ¿Quién habla?`,
  )
})

test('long input costs little', () => {
  const startedAt = process.cpuUsage().user
  for (const part of ['nao me ', 'nao, ', 'tira meu ', 'dont call me ', 'no me llame ', 'a b '])
    callWishIn(part.repeat(100_000))
  assert.ok(process.cpuUsage().user - startedAt < 2_000_000)
})
