"""RabbitMQ: messages of queues, through pika."""
