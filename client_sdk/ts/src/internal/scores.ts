// SPDX-License-Identifier: MIT
import type { Score as WireScore } from "../generated/sweepd/v1/scoring_pb.js";
import { ErrorCode, Status } from "../status.js";
import type { ParticipantNumber, Score } from "../types.js";
import { decodeScore } from "./match_codec.js";

/** The score of each participant that is in the match. */
export class Scores {
  /** Far more than a match has participants at once. */
  static readonly SCORES_MAX = 1024;
  private readonly byNumber = new Map<ParticipantNumber, Score>();

  static fit(scores: readonly WireScore[]): boolean {
    return scores.filter((score) => !score.hasLeft).length <= Scores.SCORES_MAX;
  }

  static tooMany(): Status {
    const message = `the server sent scores of more than ${Scores.SCORES_MAX} participants at once`;
    return new Status(ErrorCode.Internal, message);
  }

  all(): Score[] {
    return [...this.byNumber.values()];
  }

  replace(scores: readonly WireScore[]): void {
    this.byNumber.clear();
    this.put(scores.filter((score) => !score.hasLeft));
  }

  put(scores: readonly WireScore[]): Status | undefined {
    for (const message of scores) {
      const score = decodeScore(message);
      if (!score.hasLeft) this.byNumber.set(score.participant, score);
      else if (this.byNumber.get(score.participant)?.name === score.name) this.byNumber.delete(score.participant);
    }
    return this.byNumber.size > Scores.SCORES_MAX ? Scores.tooMany() : undefined;
  }
}
