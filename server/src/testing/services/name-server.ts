/** A name server on this machine that returns given addresses for every name. */
import { createSocket } from 'node:dgram';
import type { AddressInfo } from 'node:net';

export interface TestNameServer {
  /** As `dns.setServers` takes it. */
  readonly address: string;
  /** The number of queries for IPv4 addresses. */
  readonly asked: number;
  stop(): Promise<void>;
}

/** @param addresses IPv4 addresses by the index of the query. The server does not respond if there are none */
export async function startNameServer(addresses: (question: number) => readonly string[]): Promise<TestNameServer> {
  const socket = createSocket('udp4');
  let asked = 0;
  socket.on('message', (query, { port, address }) => {
    const nameEnd = query.indexOf(0, 12) + 1;
    const isForIPv4 = query.readUInt16BE(nameEnd) === 1;
    const found = isForIPv4 ? addresses(asked) : [];
    if (isForIPv4) asked += 1;
    if (isForIPv4 && found.length === 0) return;
    const header = Buffer.from(query.subarray(0, 12));
    header.writeUInt16BE(0x8180, 2);
    header.writeUInt16BE(found.length, 6);
    header.writeUInt32BE(0, 8);
    const records = found.map((one) =>
      // The name of the query, type A, class IN, no time to live, four bytes.
      Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...one.split('.').map(Number)]),
    );
    socket.send(Buffer.concat([header, query.subarray(12, nameEnd + 4), ...records]), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${(socket.address() as AddressInfo).port}`,
    get asked() {
      return asked;
    },
    stop: () => new Promise((resolve) => socket.close(resolve)),
  };
}
