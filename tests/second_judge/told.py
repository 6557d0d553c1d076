# SPDX-License-Identifier: MIT
"""What a tick tells, in the words of proto/."""

import collections

from sweepd.v1.exit_reason_pb2 import EXIT_REASON_UNSPECIFIED as ENTER

END_OF_TICK = 256

Event = collections.namedtuple(
    "Event", "sequence_number reason object_a object_b layer_a layer_b part_a part_b time_of_impact")
Destruction = collections.namedtuple("Destruction", "object_id by_object_id owner by_owner layer by_layer")
OwnerChange = collections.namedtuple("OwnerChange", "from_participant to_participant with_stage object_ids")
Rejection = collections.namedtuple("Rejection", "tick frame_tick reason object_id")


class Told:
    """All participants are told of events, destructions and changes of owners, each of its own rejections."""

    def __init__(self):
        self.events, self.destructions, self.owner_changes = [], [], []
        self.rejections, self.rejections_not_listed = {}, {}
