// The health check of containers. Exit code 0: the server of this container is ready.
const port = process.env.HEDDLE_PORT || 9991;
const response = await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => undefined);
process.exit(response?.ok ? 0 : 1);
