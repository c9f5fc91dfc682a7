// Sentences as agents say them on the telephone, written with figures: half of the work is to read those aloud.

export const sentences: Readonly<Record<'pt-BR' | 'en-US' | 'es-ES', readonly string[]>> = {
  'pt-BR': [
    'Bom dia, aqui é da clínica. Em que posso ajudar?',
    'Sua consulta ficou marcada para o dia 14/10 às 15h30.',
    'O valor total da compra é de R$ 1.250,00.',
    'Por favor, confirme o seu nome completo.',
    'O prazo de entrega é de 12 dias úteis.',
    'Nosso escritório fica na Avenida Paulista, número 900.',
    'Vou transferir a ligação para o setor financeiro, só um momento.',
    'O desconto é de 15% para pagamento à vista.',
  ],
  'en-US': [
    'Good morning, thank you for calling. How can I help you today?',
    'Your appointment is on March 3, 2026 at 4:30 PM.',
    'The total amount is $1,250.00, including taxes.',
    'Could you please tell me your full name?',
    'Your order will arrive in 12 business days.',
    'I will transfer your call to the sales department.',
    'We offer a discount of 15% if you pay today.',
    'The meeting was moved to Thursday because the room was not free.',
  ],
  'es-ES': [
    'Buenos días, gracias por llamar. ¿En qué puedo ayudarle?',
    'Su cita es el 14/10/2026 a las 16:30.',
    'El importe total es de 250 euros.',
    'Por favor, dígame su nombre completo.',
    'El pedido llegará en 12 días hábiles.',
    'Voy a transferir su llamada al departamento de ventas.',
    'Ofrecemos un descuento del 15 % si paga hoy.',
    'La reunión se cambió al jueves porque la sala estaba ocupada.',
  ],
}
