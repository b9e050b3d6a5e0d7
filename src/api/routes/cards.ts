import type { Endpoint } from '../context.ts';
import { readCardOfRunOrNull, readPictureOfBoard, readPictureOfEntry, respondWithPicture } from '../link-pictures.ts';
import { refusal } from '../problem.ts';

/** The picture of a shared run. */
const addRunPicture: Endpoint = (api) =>
  void api.get('/cards/:picture{.+\\.png}', async (c) => {
    const card = await readCardOfRunOrNull(c, c.req.param('picture').slice(0, -'.png'.length));
    if (card === null) throw refusal('not-found', 'the card was not made here, or its link has ended');
    return respondWithPicture(c, card.picture);
  });

/** The picture of a leaderboard. */
const addBoardPicture: Endpoint = (api) =>
  void api.get('/leaderboards/:id/card.png', async (c) =>
    respondWithPicture(c, await readPictureOfBoard(c, c.req.param('id'))),
  );

/** The picture of an entry. */
const addEntryPicture: Endpoint = (api) =>
  void api.get('/leaderboards/:id/entries/:entry/card.png', async (c) => {
    const { id, entry } = c.req.param();
    return respondWithPicture(c, await readPictureOfEntry(c, id, entry));
  });

export const cardEndpoints: readonly Endpoint[] = [addRunPicture, addBoardPicture, addEntryPicture];
