"""Random sequences of images and samplers of all agents, created and destroyed in any order.

The data of an image is the caller's: it holds what was written there whatever lives. What was
written to elements stays until something else is written to them, by whichever call.
"""

from hsa_conformance.engine.checks.random_programs.player import Life
from hsa_conformance.topics.images.samplers.life import elements, pictures

LIVES = (
    Life(
        clause="hsa_ext_image_destroy/success",
        name="sequences of images and samplers",
        notes=pictures.Pictures,
        openings=((pictures.create, pictures.create, pictures.destroy),),
        acts=(
            *2 * (pictures.create, pictures.destroy),
            *2 * (pictures.create_sampler, pictures.destroy_sampler),
            pictures.mark,
        ),
        looks=2 * (pictures.look_at_data,),
        closing=(pictures.give_back,),
        examples=0.5,
    ),
    Life(
        clause="hsa_ext_image_copy/success",
        name="sequences of elements",
        notes=pictures.Pictures,
        openings=((elements.create, elements.create, elements.copy),),
        acts=(
            *2 * (elements.create, elements.copy, elements.import_),
            *(pictures.destroy, elements.clear),
        ),
        looks=2 * (elements.look,),
        closing=(elements.inspect, pictures.give_back),
        examples=0.3,
    ),
)
