// Questions with known answers about the three documents in test/fixtures/knowledge: what callers ask, and the heading
// with the answer. `isShared`: the question shares at least one significant word with its passage. The others share
// none, in any form (a test checks that).

export type KnownQuestion = { language: 'pt' | 'es' | 'en'; question: string; heading: string; isShared: boolean }

const questions = (
  language: KnownQuestion['language'],
  isShared: boolean,
  lines: readonly (readonly [string, string])[],
) => lines.map(([question, heading]) => ({ language, question, heading, isShared }))

export const knownQuestions: readonly KnownQuestion[] = [
  ...questions('pt', true, [
    ['Vocês abrem aos domingos?', 'Horário de funcionamento'],
    ['Qual é a estação de metrô mais perto?', 'Endereço e acesso'],
    ['Tem estacionamento aí?', 'Estacionamento'],
    ['Vocês atendem o plano da Amil?', 'Convênios aceitos'],
    ['Quanto custa uma consulta particular?', 'Consulta particular'],
    ['Dá para dividir em parcelas?', 'Formas de pagamento'],
    ['Preciso de jejum para o colesterol?', 'Preparo para exame de sangue'],
    ['Quando ficam prontos os laudos?', 'Resultado de exames'],
    ['Quem é a médica que atende crianças?', 'Pediatria'],
    ['Vocês aplicam vacina de febre amarela?', 'Vacinas'],
    ['Como renovo a minha receita?', 'Receitas e atestados'],
    ['Preciso levar acompanhante na endoscopia?', 'Acompanhantes'],
  ]),
  ...questions('pt', false, [
    ['Meu coração anda acelerado, quem pode me ver?', 'Cardiologia'],
    ['O que acontece se eu esquecer de ir?', 'Cancelamento e faltas'],
    ['Posso falar com o médico pela internet, de casa?', 'Telemedicina'],
    ['Machuquei as costas, fazem reabilitação?', 'Fisioterapia'],
    ['Onde deixo o carro?', 'Estacionamento'],
  ]),
  ...questions('es', true, [
    ['¿Abren los domingos?', 'Horario de la tienda'],
    ['¿Cuánto cuesta el envío a Canarias?', 'Gastos de envío'],
    ['¿En cuántas horas recibo el pedido?', 'Plazo de entrega'],
    ['¿Cómo hago el seguimiento de mi paquete?', 'Seguimiento del pedido'],
    ['Quiero devolver un artículo', 'Devoluciones'],
    ['¿Se puede pagar con Bizum?', 'Formas de pago'],
    ['¿Dónde descargo la factura?', 'Factura'],
    ['¿Las tarjetas regalo caducan?', 'Tarjeta regalo'],
    ['¿Cómo lavo un jersey de lana?', 'Cuidado de las prendas'],
    ['¿Acortan pantalones?', 'Arreglos de costura'],
    ['¿Qué garantía tiene la mochila?', 'Garantía'],
    ['¿Puedo recoger en tienda lo que compro en la web?', 'Recogida en tienda'],
  ]),
  ...questions('es', false, [
    ['No me queda bien, es demasiado pequeño', 'Cambios de talla'],
    ['¿Están contratando personal?', 'Empleo'],
    ['¿Venden a revendedores?', 'Ventas al por mayor'],
    ['¿Qué ventajas tengo por ser cliente fiel?', 'Programa de puntos'],
    ['No hay existencias, ¿cuándo llegan más?', 'Productos agotados'],
  ]),
  ...questions('en', true, [
    ['What time is check-out?', 'Check-in and check-out'],
    ['When is breakfast served at the weekend?', 'Breakfast'],
    ['Can I bring my dog?', 'Pets'],
    ['What is the Wi-Fi password?', 'Wi-Fi'],
    ['How much is a double room?', 'Room rates'],
    ['Is there a charger for electric cars?', 'Parking'],
    ['Do you have a shuttle from the airport?', 'Airport shuttle'],
    ['Is the pool heated?', 'Swimming pool'],
    ['Do you have wheelchair access?', 'Accessible rooms'],
    ['Can I cancel my booking free of charge?', 'Cancellation'],
    ['Do you have vegan dishes?', 'Restaurant'],
    ['How many people fit in the hall for a wedding?', 'Meetings and weddings'],
  ]),
  ...questions('en', false, [
    ['I left my watch behind, what now?', 'Lost property'],
    ['Could somebody wash my dirty trousers?', 'Laundry'],
    ['Is there anywhere to keep our suitcases?', 'Luggage'],
    ['May I light a cigarette outside?', 'Smoking'],
    ['Do you have something for an infant to sleep in?', 'Family rooms'],
  ]),
]
