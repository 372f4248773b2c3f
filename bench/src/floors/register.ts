import { readFileSync } from 'node:fs';
import { answer, floorSettings, serveFloor } from './floor-server.ts';

// `register`: returns the bytes of a response of Heddle from memory.

export interface RegisterFloorSettings {
  readonly answerFile: string;
}

const body = readFileSync(floorSettings<RegisterFloorSettings>().answerFile);

serveFloor((request, response) => {
  request.resume();
  request.on('end', () => answer(response, body));
});
